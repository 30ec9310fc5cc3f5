/* The kernels of steps of systems of equations (PERDURE_KERNELS_OF_CASES in kernels/list.h). */
#ifndef PERDURE_KERNELS_SYSTEM_KERNELS_H
#define PERDURE_KERNELS_SYSTEM_KERNELS_H

#include "kernels/courant_runge_kutta.h"
#include "kernels/embedded_runge_kutta.h"
#include "kernels/leapfrog.h"
#include "kernels/newton.h"
#include "kernels/rkl2.h"
#include "kernels/runge_kutta.h"

#endif
