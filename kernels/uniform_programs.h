/* The kernels of kernels/list.h that are also compiled for uniform problems alone; included once for each real_t and number
 * of dimensions. */
#include "kernels/cg.h"
#include "kernels/cg_multigrid.h"
#include "kernels/heat.h"
#include "kernels/jacobi.h"
