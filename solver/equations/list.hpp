// The equations and what advances them in time, by the words of a case file: the enumerations, their words and the registries
// follow from these lists.
#pragma once

/// X(word, problem, solves): the words of problem.type, what their problems are made of (solver/problem/problem_makers.hpp) and how
/// their cases are solved (solver/run/case_solves.hpp). The descriptor of each: equation.cpp.
#define PERDURE_EQUATIONS(X)      \
    X(diffusion, values, at_once) \
    X(heat, values, at_once)      \
    X(wave, values, at_once)      \
    X(system, formulas, at_once)  \
    X(effective, image, along_directions)

/// X(word, what it is): the words of time.method.
#define PERDURE_INTEGRATOR_WORDS(X)                                                        \
    X(euler, "explicit, order 1")                                                          \
    X(ssprk3, "explicit, order 3, strong-stability preserving")                            \
    X(rk4, "explicit, order 4")                                                            \
    X(rk23, "explicit, order 3, with adaptive steps")                                      \
    X(rk45, "explicit, order 5, with adaptive steps")                                      \
    X(rkl2, "explicit, order 2, with long steps for diffusion")                            \
    X(leapfrog, "explicit and symplectic, order 2, for positions and velocities")          \
    X(verlet, "explicit and symplectic, order 2")                                          \
    X(backward_euler, "implicit, order 1, damps unresolved modes")                         \
    X(crank_nicolson, "implicit, order 2")                                                 \
    X(bdf2, "implicit, order 2, damps unresolved modes; the first step is backward_euler") \
    X(imex, "order 2, implicit (bdf2) for the terms in time.implicit and explicit for the others")

/// X(word): those whose steps are solves, of systems by Newton's method, elsewhere by solver.method.
#define PERDURE_IMPLICIT_WORDS(X) \
    X(backward_euler)             \
    X(crank_nicolson)             \
    X(bdf2)                       \
    X(imex)

/// X(word): those that choose their steps by time.rtol and time.atol.
#define PERDURE_WORDS_BY_ERROR(X) \
    X(rk23)                       \
    X(rk45)

/// X(equation, word): what advances an equation in time. The descriptor EQUATION_WORD of each is in a file of its own in
/// solver/integrators.
#define PERDURE_INTEGRATORS(X)    \
    X(heat, euler)                \
    X(heat, backward_euler)       \
    X(heat, crank_nicolson)       \
    X(heat, bdf2)                 \
    X(wave, verlet)               \
    X(system, euler)              \
    X(system, ssprk3)             \
    X(system, rk4)                \
    X(system, courant_euler)      \
    X(system, courant_ssprk3)     \
    X(system, courant_rk4)        \
    X(system, rk23)               \
    X(system, rk45)               \
    X(system, rkl2)               \
    X(system, leapfrog)           \
    X(system, leapfrog_in_halves) \
    X(system, backward_euler)     \
    X(system, crank_nicolson)     \
    X(system, bdf2)               \
    X(system, imex)
