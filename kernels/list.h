/* The kernels by name, for tables, and where real_t is defined their text: included once for each real_t, in a namespace of its
 * own where the language has them. A new kernel is two lines here.
 *
 * X(name) for each kernel that exists once per real_t, and for those that are also compiled for uniform problems alone. */
#define PERDURE_KERNELS(X) \
    X(jacobi)              \
    X(heat)                \
    X(wave)                \
    X(cg)                  \
    X(cg_multigrid)        \
    X(bicgstab)            \
    X(chebyshev)           \
    X(sor)                 \
    X(implicit_cg)         \
    X(implicit_multigrid)  \
    X(heat_subdomain)

/* Those that are compiled for the formulas of a case; host threads interpret these. */
#define PERDURE_KERNELS_OF_CASES(X) \
    X(runge_kutta)                  \
    X(embedded_runge_kutta)         \
    X(courant_runge_kutta)          \
    X(rkl2)                         \
    X(leapfrog)                     \
    X(newton)

/* Those that make what the others work on, and take from what these leave. */
#define PERDURE_BESIDE_KERNELS(X) \
    X(image_operator)             \
    X(image_labels)               \
    X(plane_flow)

/* Those that do not depend on real_t (kernels/untyped_programs.h). */
#define PERDURE_UNTYPED_KERNELS(X) \
    X(barrier_self_test)           \
    X(percolation)

/* Those of precision mixed, in all forms (kernels/mixed_programs.h). */
#define PERDURE_MIXED_KERNELS(X) \
    X(cg_multigrid)              \
    X(implicit_multigrid)

#define PERDURE_UNIFORM_KERNELS(X) \
    X(jacobi)                      \
    X(heat)                        \
    X(cg)                          \
    X(cg_multigrid)                \
    X(implicit_cg)                 \
    X(implicit_multigrid)

/* Those that take coefficients by labels where few materials make up a grid (kernels/labels.h), and full tensors
 * (kernels/cross_terms.h). */
#define PERDURE_LABEL_KERNELS(X) X(cg_multigrid)

#ifdef real_t
#include "kernels/bicgstab.h"
#include "kernels/cg.h"
#include "kernels/cg_multigrid.h"
#include "kernels/chebyshev.h"
#include "kernels/heat.h"
#include "kernels/heat_subdomain.h"
#include "kernels/image_labels.h"
#include "kernels/image_operator.h"
#include "kernels/implicit_cg.h"
#include "kernels/implicit_multigrid.h"
#include "kernels/jacobi.h"
#include "kernels/plane_flow.h"
#include "kernels/sor.h"
#include "kernels/wave.h"
#if !defined(PERDURE_SYSTEMS_APART)
#include "kernels/system_kernels.h"
#endif
#endif
