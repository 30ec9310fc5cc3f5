/* What all kernels share and what does not depend on real_t. */
#ifndef PERDURE_KERNELS_COMMON_H
#define PERDURE_KERNELS_COMMON_H

#include "kernels/bicgstab_decide.h"
#include "kernels/cell_noise.h"
#include "kernels/cell_random.h"
#include "kernels/cg_decide.h"
#include "kernels/cg_multigrid_decide.h"
#include "kernels/chebyshev_decide.h"
#include "kernels/chunks.h"
#include "kernels/convergence.h"
#include "kernels/grid.h"
#include "kernels/image_question.h"
#include "kernels/kernel_forms.h"
#include "kernels/labels.h"
#include "kernels/multigrid/hierarchy.h"
#include "kernels/newton_decide.h"
#include "kernels/run.h"
#include "kernels/shadow_residual.h"
#include "kernels/stencil_formula.h"
#include "kernels/system_setup.h"
#include "kernels/watch_lanes.h"
#include "sync/step_flags.h"

#endif
