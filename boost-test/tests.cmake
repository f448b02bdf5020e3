# SPDX-License-Identifier: MIT
# All tests, one call each; CMakeLists.txt explains the functions:
#   adolc_add_test(<name> SOURCES <file>... [LABELS <label>...] [WHITEBOX] [TIMEOUT <seconds>])
#   adolc_add_compile_fail_test(<name> SOURCE <file> EXPECT <regex>)

adolc_add_test(ops
  SOURCES ops/advanced_branching.cpp ops/aliasing.cpp ops/op_rows.cpp ops/op_sweeps.cpp
    ops/recording.cpp ops/rules.cpp ops/special_points.cpp interp/all_sweeps.cpp
    interp/all_taylor_sweeps.cpp)
adolc_add_test(taylor_ops
  SOURCES ops/advanced_branching.cpp ops/op_rows.cpp ops/recording.cpp ops/taylor_reference.cpp
    ops/special_points_taylor.cpp ops/taylor_sweeps.cpp interp/all_sweeps.cpp interp/all_taylor_sweeps.cpp)
adolc_add_test(life_cycle SOURCES tape/life_cycle.cpp)
adolc_add_test(nested_recordings SOURCES tape/nested_recordings.cpp)
adolc_add_test(configuration SOURCES tape/configuration.cpp)
adolc_add_test(threads SOURCES tape/threads.cpp)
adolc_add_test(shared_mode SOURCES tape/shared_mode.cpp)
adolc_add_test(deadlocks SOURCES tape/deadlock.cpp)
adolc_add_test(stress SOURCES tape/stress.cpp)
add_test(NAME stress_soak COMMAND test_stress CONFIGURATIONS soak)
set_tests_properties(stress_soak PROPERTIES LABELS soak TIMEOUT 900
  ENVIRONMENT ADOLC_STRESS_SECONDS=300)
adolc_add_test(statistics SOURCES tape/statistics.cpp)
adolc_add_test(parameters SOURCES adouble/parameters.cpp)
adolc_add_test(handles SOURCES adouble/handles.cpp)
adolc_add_test(foreign_variables SOURCES adouble/foreign.cpp)
adolc_add_compile_fail_test(implicit_double SOURCE adouble/fails_implicit_double.cpp
  EXPECT "cannot convert|no viable conversion")
adolc_add_compile_fail_test(implicit_int SOURCE adouble/fails_implicit_int.cpp
  EXPECT "cannot convert|no viable conversion")
adolc_add_compile_fail_test(copy_of_parameter SOURCE adouble/fails_copy_of_parameter.cpp
  EXPECT "deleted")

# Without the framework, see the file.
add_executable(test_static_variables adouble/static_variables.cpp)
target_link_libraries(test_static_variables PRIVATE adolc::adolc Threads::Threads)
adolc_set_warnings(test_static_variables)
adolc_built_by_check(test_static_variables)
add_test(NAME static_variables COMMAND test_static_variables)
set_tests_properties(static_variables PROPERTIES TIMEOUT 60)
adolc_add_test(comparisons SOURCES adouble/comparisons.cpp adouble/advanced_branching.cpp)
adolc_add_test(fusion SOURCES adouble/fusion.cpp)
adolc_add_test(contiguous SOURCES adouble/contiguous.cpp)
adolc_add_test(first_order_drivers SOURCES drivers/first_order.cpp)
adolc_add_test(second_order_drivers SOURCES drivers/second_order.cpp)
adolc_add_test(parallel_drivers SOURCES drivers/parallel.cpp)
adolc_add_test(taylor_drivers
  SOURCES drivers/convolution.cpp drivers/inverse_functions.cpp drivers/lie_derivatives.cpp
    drivers/ode_series.cpp drivers/taylor_c_linkage.cpp drivers/tensors.cpp)
adolc_add_test(allocation SOURCES drivers/allocation.cpp)
adolc_add_test(c_and_fortran_forms SOURCES drivers/c_linkage.cpp drivers/fortran_forms.cpp)
adolc_add_test(dependence WHITEBOX SOURCES interp/dependence.cpp)
adolc_add_test(misuse SOURCES interp/misuse.cpp)
adolc_add_test(limits SOURCES interp/limits.cpp)
adolc_add_test(after_errors WHITEBOX SOURCES interp/after_errors.cpp)
adolc_add_test(no_memory SOURCES tape/no_memory.cpp)
adolc_add_test(steady_state SOURCES interp/steady_state.cpp)
adolc_add_test(stores SOURCES tape/store.cpp tape/block_chain.cpp)
adolc_add_test(listings
  SOURCES tapedoc/listings.cpp tapedoc/operations.cpp tapedoc/listing.cpp interp/all_sweeps.cpp
    ops/advanced_branching.cpp ops/op_rows.cpp ops/recording.cpp)
# They run a program that may be missing: then CTest says that they are skipped.
adolc_add_test(listings_latex SOURCES tapedoc/latex.cpp)
adolc_add_test(listings_graphviz SOURCES tapedoc/graphviz.cpp)
set_tests_properties(listings_latex listings_graphviz PROPERTIES
  SKIP_REGULAR_EXPRESSION "skipped: ")
adolc_add_test(store_managers
  SOURCES tape/globaltapevarscl.cpp tape/storemanager.cpp tape/storemanager_of_tape.cpp)

# Where other software is found.
if(TARGET Eigen3::Eigen)
  adolc_add_test(eigen SOURCES adouble/eigen.cpp LIBRARIES Eigen3::Eigen)
endif()
if(TARGET OpenMP::OpenMP_CXX AND NOT ADOLC_SANITIZE MATCHES thread) # it does not know libgomp
  adolc_add_test(openmp SOURCES tape/openmp.cpp LIBRARIES OpenMP::OpenMP_CXX)
endif()
find_path(ADOLC_ODEINT_INCLUDE_DIR boost/numeric/odeint.hpp PATHS ${Boost_INCLUDE_DIRS})
mark_as_advanced(ADOLC_ODEINT_INCLUDE_DIR)
if(ADOLC_ODEINT_INCLUDE_DIR)
  adolc_add_test(odeint SOURCES adouble/odeint.cpp)
endif()
include(CheckLanguage)
check_language(Fortran)
if(CMAKE_Fortran_COMPILER)
  enable_language(Fortran)
  add_executable(test_fortran_program drivers/fortran_program.f90 drivers/fortran_recording.cpp)
  target_link_libraries(test_fortran_program PRIVATE adolc::adolc)
  adolc_built_by_check(test_fortran_program)
  add_test(NAME fortran_program COMMAND test_fortran_program)
  set_tests_properties(fortran_program PROPERTIES TIMEOUT 60)
endif()

set(program_sources interp/all_sweeps.cpp interp/program_check.cpp interp/random_program.cpp)
adolc_add_test(random_programs WHITEBOX
  SOURCES interp/random_programs.cpp ${program_sources})
adolc_add_test(taylor_programs WHITEBOX
  SOURCES interp/taylor_programs.cpp interp/taylor_stack.cpp interp/series_program.cpp interp/all_taylor_sweeps.cpp
    ${program_sources})
adolc_add_test(random_programs_soak WHITEBOX LABELS soak TIMEOUT 3600
  SOURCES interp/random_programs_soak.cpp ${program_sources})
adolc_add_test(accumulation SOURCES interp/accumulation.cpp interp/all_sweeps.cpp)
adolc_add_test(spill WHITEBOX SOURCES storage/spill.cpp ${program_sources})
adolc_add_test(forks SOURCES storage/fork.cpp)
adolc_add_test(progress SOURCES interp/progress.cpp)
adolc_add_test(live_variables SOURCES interp/live_variables.cpp)

set(storage_sources storage/tape_files.cpp interp/all_sweeps.cpp interp/random_program.cpp)
adolc_add_test(saved_tapes WHITEBOX
  SOURCES storage/format_document.cpp storage/refused.cpp storage/round_trip.cpp
    storage/trace_off_files.cpp storage/within_budget.cpp storage/writing.cpp
    ${storage_sources})
# With the shared library, and with its files within the program.
adolc_add_test(source_locations SOURCES tapedoc/sources.cpp)
adolc_add_test(source_locations_within WHITEBOX
  SOURCES tapedoc/sources.cpp tapedoc/sources_of_programs.cpp ${storage_sources})
foreach(target test_source_locations test_source_locations_within)
  target_compile_options(${target} PRIVATE -g)
  target_link_libraries(${target} PRIVATE ${CMAKE_DL_LIBS})
  if(ADOLC_LIBDW_INCLUDE_DIR)
    target_compile_definitions(${target} PRIVATE ADOLC_TEST_LINES)
  endif()
endforeach()
adolc_add_test(two_processes WHITEBOX SOURCES storage/two_processes.cpp ${storage_sources})
# Skipped where nothing can be mounted.
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  adolc_add_test(small_disk WHITEBOX SOURCES storage/small_disk.cpp ${storage_sources})
  set_tests_properties(small_disk PROPERTIES SKIP_REGULAR_EXPRESSION "skipped: ")
endif()
# A target for clang's libFuzzer, which ./build.sh fuzz builds and runs. Where ADOLC_CORPUS says it
# writes inputs to begin with.
if("fuzzer-no-link" IN_LIST ADOLC_SANITIZE)
  add_executable(fuzz_open EXCLUDE_FROM_ALL storage/fuzz_open.cpp ops/advanced_branching.cpp
    ops/op_rows.cpp ops/recording.cpp ${storage_sources})
  target_include_directories(fuzz_open PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
  target_link_libraries(fuzz_open PRIVATE adolc_whitebox Boost::headers)
  target_link_options(fuzz_open PRIVATE -fsanitize=fuzzer)
endif()
target_compile_definitions(test_saved_tapes PRIVATE "ADOLC_SOURCE_DIR=\"${PROJECT_SOURCE_DIR}\"")

# Fused multiply-add, where this machine has it.
adolc_add_test(contraction SOURCES ops/contraction.cpp)
include(CheckCXXSourceRuns)
set(CMAKE_REQUIRED_FLAGS "-O2 -mfma -ffp-contract=fast")
check_cxx_source_runs("
  int main(int argc, char **) {
    if (!__builtin_cpu_supports(\"fma\"))
      return 1;
    volatile double x = 1.0 + argc * 0x1p-30, square = x * x;
    return x * x - square == 0.0;
  }" ADOLC_CONTRACTS)
unset(CMAKE_REQUIRED_FLAGS)
if(ADOLC_CONTRACTS)
  target_compile_options(test_contraction PRIVATE -O2 -mfma -ffp-contract=fast)
  target_compile_definitions(test_contraction PRIVATE CONTRACTS)
endif()

# The command-line tool.
if(TARGET adolc_tool)
  adolc_add_test(tool SOURCES tool/tool.cpp LIBRARIES nlohmann_json::nlohmann_json)
  target_compile_definitions(test_tool PRIVATE ADOLC_TOOL="$<TARGET_FILE:adolc_tool>")
  add_dependencies(test_tool adolc_tool)
endif()
