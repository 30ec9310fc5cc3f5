/* The kernels of experiments and benchmarks by name: X(name) for each. They do not depend on real_t. */
#define PERDURE_EXPERIMENTS(X) \
    X(atomics_check)
