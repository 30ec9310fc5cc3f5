/* The kernels that exist once per real_t; included once for each, in a namespace of its own where the
 * language has them. A new solver is one line here and one in kernels/list.h. */
#include "kernels/bicgstab.h"
#include "kernels/cg.h"
#include "kernels/cg_multigrid.h"
#include "kernels/chebyshev.h"
#include "kernels/heat.h"
#include "kernels/heat_subdomain.h"
#include "kernels/image_operator.h"
#include "kernels/implicit_euler.h"
#include "kernels/jacobi.h"
#include "kernels/plane_flow.h"
#include "kernels/sor.h"
