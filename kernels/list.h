/* The kernels by name, for tables: X(name) for each kernel that exists once per real_t, and for those that are also
 * compiled for uniform problems alone. */
#define PERDURE_KERNELS(X) \
    X(jacobi)              \
    X(heat)                \
    X(cg)                  \
    X(cg_multigrid)        \
    X(bicgstab)            \
    X(chebyshev)           \
    X(sor)                 \
    X(implicit_euler)      \
    X(heat_subdomain)

/* Those that make what the others work on, and take from what these leave. */
#define PERDURE_BESIDE_KERNELS(X) \
    X(image_operator)             \
    X(plane_flow)

/* Those that do not depend on real_t (kernels/untyped_programs.h). */
#define PERDURE_UNTYPED_KERNELS(X) \
    X(barrier_self_test)           \
    X(percolation)

/* Those of precision mixed, in all forms (kernels/mixed_programs.h). */
#define PERDURE_MIXED_KERNELS(X) X(cg_multigrid)

#define PERDURE_UNIFORM_KERNELS(X) \
    X(jacobi)                      \
    X(heat)                        \
    X(cg)                          \
    X(cg_multigrid)
