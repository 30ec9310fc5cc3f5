/* Streamed conjugate gradients for one real_t, in a namespace of its own. */
#include "kernels/operator.h"

#include "kernels/resident/cg_scalars.h"

#include "kernels/resident/cg_run.h"
#include "kernels/resident/cg_streamed.h"

#include "kernels/resident/cg_march.h"
#include "kernels/resident/cg_streamed_kernels.h"
