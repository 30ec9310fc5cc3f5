/* The text of experiments and benchmarks is C99. */
#include "kernels/experiments/program.h"
