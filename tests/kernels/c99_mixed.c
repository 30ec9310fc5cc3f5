/* The kernel text is C99 when real_t is double and cycles are in float. */
#define real_t double
#include "kernels/mixed_programs.h"
