# SPDX-License-Identifier: MIT
# The two lists of the library. A test checks that nothing on disk is missing here.

# Relative to include/. What stands here is installed, and each .h is compiled alone by a test.
set(ADOLC_PUBLIC_HEADERS
  adolc/adalloc.h
  adolc/adolc.h
  adolc/adolc_openmp.h
  adolc/adolcerror.h
  adolc/adouble.h
  adolc/adtb_types.h
  adolc/adutils.h
  adolc/adutilsc.h
  adolc/configuration.h
  adolc/diagnostics.h
  adolc/drivers/drivers.h
  adolc/drivers/parallel_drivers.h
  adolc/drivers/span_drivers.h
  adolc/eigen.h
  adolc/fortutils.h
  adolc/interfaces.h
  adolc/internal/adouble_functions.h
  adolc/internal/adouble_operators.h
  adolc/internal/common.h
  adolc/internal/errors.def
  adolc/internal/export.h
  adolc/internal/oplist_expand.h
  adolc/internal/recorder.h
  adolc/oplate.h
  adolc/ops/derive.h
  adolc/ops/layout.h
  adolc/ops/number_kinds.h
  adolc/ops/oplist.def
  adolc/ops/rules_arithmetic.h
  adolc/ops/rules_elementary.h
  adolc/ops/rules_nonsmooth.h
  adolc/param.h
  adolc/storemanager.h
  adolc/tape_interface.h
  adolc/tapedoc/sourcelocation.h
  adolc/tapedoc/tapedoc.h
  adolc/tapefile.h
  adolc/taping.h
  adolc/valuetape/blockchain.h
  adolc/valuetape/globaltapevarscl.h
  adolc/valuetape/spill.h
  adolc/valuetape/store.h
  adolc/valuetape/tapeevaluationcontext.h
  adolc/valuetape/tapeinfos.h
  adolc/valuetape/taperecordingcontext.h
  adolc/valuetape/taperegistry.h
  adolc/valuetape/valuetape.h
  adolc/workspace.h
)

# Relative to src/.
set(ADOLC_SOURCES
  adolcerror.cpp
  adouble.cpp
  drivers/adalloc.cpp
  drivers/drivers.cpp
  drivers/fortran.cpp
  drivers/span_drivers.cpp
  interp/checks.cpp
  interp/fos_reverse.cpp
  interp/instruction_sets.cpp
  interp/interfaces.cpp
  interp/sweep.cpp
  interp/zos_forward.cpp
  tape/access.cpp
  tape/blockpool.cpp
  tape/buffersizes.cpp
  tape/diagnostics.cpp
  tape/forklocks.cpp
  tape/packing.cpp
  tape/settings.cpp
  tape/store.cpp
  tape/tape_interface.cpp
  tape/tapeevaluationcontext.cpp
  tape/taperegistry.cpp
  tape/valuetape.cpp
  # Large or rarely used: they stand behind the code that every recording touches.
  drivers/parallel.cpp
  interp/fos_forward.cpp
  interp/fov_forward.cpp
  interp/fov_reverse.cpp
  storage/file.cpp
  storage/format.cpp
  storage/iothread.cpp
  storage/reader.cpp
  storage/recordingfile.cpp
  storage/spill.cpp
  storage/tapefile.cpp
  storage/verify.cpp
  storage/writer.cpp
  tape/callsites.cpp
  tape/configuration.cpp
  tape/debuginfo.cpp
  tape/globaltapevarscl.cpp
  tape/openmp.cpp
  tape/operations.cpp
  tape/sourcelocation.cpp
  tape/storemanager.cpp
  tape/waiting.cpp
  tapedoc/evaluation.cpp
  tapedoc/format.cpp
  tapedoc/tapedoc.cpp
)

# Kernels of the vector sweeps for one instruction set each, on x86-64 only. They stand behind all
# other sources: where the linker chooses between equal inline functions, it takes the first, which
# every processor can run.
set(ADOLC_X86_SOURCES
  interp/fov_forward_avx2.cpp
  interp/fov_forward_avx512.cpp
  interp/fov_reverse_avx2.cpp
  interp/fov_reverse_avx512.cpp
)
