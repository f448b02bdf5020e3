#include "interp/sweeps.h"

namespace ADOLC::detail {

int taylorForward(const TaylorForward &sweep, int) {
  ADOLCError::fail(ADOLCError::ErrorType::NOT_IMPLEMENTED,
                   {__FILE__, sweep.context.caller(), __LINE__}, {});
}
int taylorReverse(const TaylorReverse &sweep) {
  ADOLCError::fail(ADOLCError::ErrorType::NOT_IMPLEMENTED,
                   {__FILE__, sweep.context.caller(), __LINE__}, {});
}

} // namespace ADOLC::detail
