/* The kernels by name, for tables: X(name) for each kernel that exists once per real_t. */
#define PERDURE_KERNELS(X) \
    X(jacobi)              \
    X(heat)                \
    X(cg)                  \
    X(cg_multigrid)        \
    X(bicgstab)            \
    X(chebyshev)           \
    X(sor)
