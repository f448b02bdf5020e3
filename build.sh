#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds and runs the library with one command; ./build.sh --help says which.
# What a command needs and does not find it installs with apt, where there is apt.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

usage() {
  cat <<'END'
usage: ./build.sh <command> [<argument>...]

  demo       build and run the main example, a nonlinear regression
  test       build everything in Release and run the tests
  check      what a pull request must pass: format, warnings as errors, assertions, tests
  sanitize   tests with AddressSanitizer and UndefinedBehaviorSanitizer
  tsan       tests with ThreadSanitizer
  portable   tests with interpreters that dispatch by switch instead of computed goto
  soak       the long tests, which the commands above leave out
  fuzz       20 minutes of random changes of saved tapes, which must be refused or harmless (clang)
  bench      build the benchmarks and compare with ADOL-C 2.7.2 (Debian's libadolc-dev)
  format     format all C++ sources

Arguments go to the program that the command runs: the example, ctest, the fuzzer, or the comparison.
For example: ./build.sh test -R gradient -V, ./build.sh fuzz -max_total_time=60
END
}

say() { printf '== %s\n' "$*"; }
die() { printf 'build.sh: %s\n' "$*" >&2; exit 1; }

# Runs a command and shows its output only if it fails.
quietly() {
  local log
  log=$(mktemp)
  "$@" >"$log" 2>&1 || { cat "$log" >&2; rm -f "$log"; return 1; }
  rm -f "$log"
}

# --- packages ------------------------------------------------------------------------------------

compiler() { printf '%s' "${CXX:-c++}"; }
has_program() { command -v "$1" >/dev/null; }
has_header() { "$(compiler)" -x c++ -E - <<<"#include <$1>" >/dev/null 2>&1; }
at_least() { printf '%s\n' "$1" "$2" | sort -C -V; }

# Whether there is what a Debian package is wanted for, no matter where it came from.
has_package() {
  case $1 in
    g++) has_program "$(compiler)" ;;
    cmake) has_program cmake && at_least 3.25 "$(cmake --version | awk 'NR == 1 { print $3 }')" ;;
    ninja-build) has_program ninja ;;
    libboost-test-dev) has_header boost/test/unit_test.hpp ;;
    libboost-program-options-dev) has_header boost/program_options.hpp ;;
    nlohmann-json3-dev) has_header nlohmann/json.hpp ;;
    libxxhash-dev) has_header xxhash.h ;;
    libdw-dev) has_header elfutils/libdwfl.h ;;
    libadolc-dev) [[ -e /usr/include/adolc/adolc.h ]] ;;
    pkgconf) has_program pkg-config ;;
    *) has_program "$1" ;;
  esac
}

missing_packages() {
  local package
  for package; do has_package "$package" || printf '%s ' "$package"; done
}

need() {
  local missing as_root=()
  missing=$(missing_packages "$@")
  [[ -n $missing ]] || return 0
  has_program apt-get || die "please install (names of the Debian packages): $missing"
  if [[ $(id -u) != 0 ]]; then
    has_program sudo || die "please install as root: apt-get install $missing"
    as_root=(sudo)
  fi
  say "installing $missing"
  quietly "${as_root[@]}" apt-get update -q
  # shellcheck disable=SC2086 # a list of words
  quietly "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends $missing
  missing=$(missing_packages "$@")
  [[ -z $missing ]] || die "still missing or too old: $missing"
}

# Packages that one can do without.
want() {
  has_program apt-get || return 0
  (need "$@") || say "going on without $*"
}

need_to_build() { need g++ cmake ninja-build libxxhash-dev "$@"; }

# --- steps ---------------------------------------------------------------------------------------

# configure <preset> [<cmake argument>...]
configure() {
  local log
  say "configuring build/$1"
  log=$(mktemp)
  cmake --preset "$@" >"$log" 2>&1 || { cat "$log" >&2; rm -f "$log"; return 1; }
  sed -n '/^-- ADOL-C /,/^-- Configuring done/{/Configuring done/d;s/^-- //;p}' "$log"
  rm -f "$log"
}

# build <preset> [<cmake argument>...]; a terminal shows the progress, a log file needs none
build() {
  local quiet=()
  [[ -t 1 ]] || quiet=(-- --quiet)
  say "building build/$1"
  cmake --build --preset "$@" -j "$(nproc)" "${quiet[@]}"
}

# run_tests <preset> [<ctest argument>...]
run_tests() {
  say "running the tests in build/$1"
  ctest --preset "$@" -j "$(nproc)"
}

build_with_tests() {
  need_to_build libboost-test-dev
  # Program options and JSON are for the tool, libdw is for the lines of operations.
  want pkgconf libboost-program-options-dev nlohmann-json3-dev libdw-dev
  configure "$1" -DADOLC_BUILD_TESTS=ON
  build "$1"
}

build_and_test() {
  build_with_tests "$1"
  run_tests "$@"
}

# --- commands ------------------------------------------------------------------------------------

command=${1:---help}
shift || true
case $command in
  demo)
    need_to_build
    configure release -DADOLC_BUILD_TESTS=OFF
    build release --target nist_regression
    say "running the example nist_regression"
    build/release/examples/nist_regression "$@"
    ;;
  test) build_and_test release "$@" ;;
  sanitize) build_and_test asan "$@" ;;
  tsan) build_and_test tsan "$@" ;;
  portable) build_and_test portable-switch "$@" ;;
  check)
    need cmake clang-format
    say "checking the format"
    cmake -DMODE=format-check -P cmake/format.cmake
    build_and_test dev "$@"
    ;;
  soak)
    build_with_tests release
    run_tests soak "$@"
    ;;
  fuzz)
    need_to_build clang libboost-test-dev
    configure fuzz
    build fuzz
    say "fuzzing; inputs are kept in build/fuzz/corpus, those that fail in build/fuzz/failed-*"
    mkdir -p build/fuzz/corpus
    [[ -w /dev/shm ]] && export TMPDIR=/dev/shm # each input is a file
    ADOLC_CORPUS=build/fuzz/corpus build/fuzz/boost-test/fuzz_open -max_total_time=1200 \
      -rss_limit_mb=4096 -artifact_prefix=build/fuzz/failed- "$@" build/fuzz/corpus
    ;;
  bench)
    need_to_build python3
    want libadolc-dev
    configure release -DADOLC_BUILD_TESTS=OFF -DADOLC_BUILD_BENCHMARKS=ON
    build release
    say "comparing"
    python3 ADOL-C/benchmark/compare.py --dir build/release/ADOL-C/benchmark "$@"
    ;;
  format)
    need cmake clang-format
    cmake -DMODE=format -P cmake/format.cmake
    ;;
  -h | --help | help) usage ;;
  *)
    usage >&2
    die "unknown command: $command"
    ;;
esac
