/* Resident conjugate gradients on the chip for one real_t, in a namespace of its own. */
#include "kernels/operator.h"

#include "kernels/resident/cg_scalars.h"

#include "kernels/resident/cg_group.h"
#include "kernels/resident/cg_halo.h"

#include "kernels/resident/cg_column.h"
#include "kernels/resident/cg_resident.h"

#include "kernels/resident/cg_pipelined.h"
#include "kernels/resident/cg_run.h"

#include "kernels/resident/cg_resident_kernels.h"
