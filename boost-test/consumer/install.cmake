# SPDX-License-Identifier: MIT
# cmake -DBUILD_TREE=<dir> -DCONFIGURATION=<name> -DPREFIX=<dir> -P install.cmake
# Installs into an empty folder and then moves that, so whatever uses PREFIX shows that the
# installation may be moved.
file(REMOVE_RECURSE "${PREFIX}" "${PREFIX}-before")
execute_process(
  COMMAND "${CMAKE_COMMAND}" --install "${BUILD_TREE}" --config "${CONFIGURATION}"
    --prefix "${PREFIX}-before"
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(RENAME "${PREFIX}-before" "${PREFIX}")
