// Expands ops/oplist.def with the row macros that the including file has defined; rows it has not
// defined expand to nothing. All row macros are undefined afterwards. No include guard by intent.
#ifndef ADOLC_FN
#ifdef ADOLC_OP
#define ADOLC_FN(op, name, rule, layout, depend, text) ADOLC_OP(op, rule, layout, depend, text)
#else
#define ADOLC_FN(op, name, rule, layout, depend, text)
#endif
#endif
#ifndef ADOLC_OP
#define ADOLC_OP(op, rule, layout, depend, text)
#endif
#ifndef ADOLC_BRANCH
#define ADOLC_BRANCH(op, relation, layout, text)
#endif
#ifndef ADOLC_STRUCT
#define ADOLC_STRUCT(op, text)
#endif
#ifndef ADOLC_RESERVED
#define ADOLC_RESERVED(op)
#endif
#include <adolc/ops/oplist.def>
#undef ADOLC_FN
#undef ADOLC_OP
#undef ADOLC_BRANCH
#undef ADOLC_STRUCT
#undef ADOLC_RESERVED
