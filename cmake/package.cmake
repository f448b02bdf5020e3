# SPDX-License-Identifier: MIT
# Install rules, and the files by which CMake and pkg-config find the library: installed, or in the
# build tree with -Dadolc_DIR=<build>. All of it may be moved after installation.
include(CMakePackageConfigHelpers)

set(adolc_cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/adolc")

install(TARGETS adolc EXPORT adolcTargets
  RUNTIME COMPONENT adolc_runtime
  LIBRARY COMPONENT adolc_runtime NAMELINK_COMPONENT adolc_development
  ARCHIVE COMPONENT adolc_development
  FILE_SET HEADERS COMPONENT adolc_development)
install(EXPORT adolcTargets NAMESPACE adolc::
  DESTINATION "${adolc_cmake_dir}" COMPONENT adolc_development)
export(EXPORT adolcTargets NAMESPACE adolc:: FILE "${PROJECT_BINARY_DIR}/adolcTargets.cmake")

# One config file serves both trees: it names nothing but its neighbour adolcTargets.cmake.
configure_package_config_file(cmake/adolcConfig.cmake.in "${PROJECT_BINARY_DIR}/adolcConfig.cmake"
  INSTALL_DESTINATION "${adolc_cmake_dir}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/adolcConfigVersion.cmake"
  COMPATIBILITY SameMajorVersion)
install(
  FILES "${PROJECT_BINARY_DIR}/adolcConfig.cmake" "${PROJECT_BINARY_DIR}/adolcConfigVersion.cmake"
  DESTINATION "${adolc_cmake_dir}" COMPONENT adolc_development)

# pkg-config. The prefix is found from where the file lies, unless the user asked for an absolute
# library or include directory: then nothing is relative to it.
set(pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
set(pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(pc_prefix "${CMAKE_INSTALL_PREFIX}")
  set(pc_libdir "${CMAKE_INSTALL_FULL_LIBDIR}")
  set(pc_includedir "${CMAKE_INSTALL_FULL_INCLUDEDIR}")
else()
  file(RELATIVE_PATH pc_up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  string(REGEX REPLACE "/$" "" pc_prefix "\${pcfiledir}/${pc_up}")
endif()
string(REGEX REPLACE "[^;]+" "-l\\0" pc_dl "${CMAKE_DL_LIBS}")
configure_file(cmake/adolc.pc.in "${PROJECT_BINARY_DIR}/cmake/adolc.pc.in" @ONLY)
# The second step fills in the target's public definitions, so that they are written down once.
file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/adolc.pc"
  INPUT "${PROJECT_BINARY_DIR}/cmake/adolc.pc.in" TARGET adolc)
install(FILES "${PROJECT_BINARY_DIR}/adolc.pc"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT adolc_development)

install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/adolc" COMPONENT adolc_runtime)
