// Includes the kernels of precision mixed in a namespace of its own.
namespace mixed {
#define real_t double
#include "kernels/mixed_programs.h"
#undef real_t
#include "kernels/include_again.h"
}  // namespace mixed
