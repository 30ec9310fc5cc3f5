/* The kernel text is C99 when real_t is double. */
#define real_t double
#include "kernels/list.h"
#include "kernels/untyped_programs.h"
