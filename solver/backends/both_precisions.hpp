// Includes the kernel text PERDURE_PROGRAM once for each real_t, in a namespace of its own.
namespace float32 {
#define real_t float
#include PERDURE_PROGRAM
#undef real_t
#include "kernels/include_again.h"
}  // namespace float32

namespace float64 {
#define real_t double
#include PERDURE_PROGRAM
#undef real_t
#include "kernels/include_again.h"
}  // namespace float64

#undef PERDURE_PROGRAM
