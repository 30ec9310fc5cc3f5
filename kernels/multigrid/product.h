/* A product of a matrix and lines of cells, a step of transform.h. */
#ifndef PERDURE_KERNELS_MULTIGRID_PRODUCT_H
#define PERDURE_KERNELS_MULTIGRID_PRODUCT_H

#include "kernels/chunks.h"
#include "kernels/multigrid/cycle_type.h"
#include "kernels/multigrid/hierarchy.h"
#include "sync/dialect.h"

/* Operands are at rows[row row_stride + k row_step] and at lanes[lane + k lane_step], the product at
 * to[row lane_step + lane]; so in each layer of cells, where `to` and `lanes` are layer_cells further. */
typedef struct {
    GLOBAL const cycle_t *rows;
    GLOBAL const cycle_t *lanes;
    GLOBAL cycle_t *to;
    uint32 row_count, lane_count, length;
    uint32 row_stride, row_step, lane_step;
    uint32 layers, layer_cells;
    uint32 first_lane; /* where the lanes begin among those of a layer */
    /* eigenvalues along the axes, by whose sum the product is divided, or not */
    GLOBAL const cycle_t *lambda[2];
    GLOBAL const cycle_t *lambda_of_row;
    uint32 divide, nx, three;
} product_t;

/* c / (lambda_x + lambda_y + lambda_z + sigma) behind the product along the last axis, whose modes are the rows; sigma is in
 * lambda_x. */
FUNCTION cycle_t over_eigenvalue(const product_t *p, uint32 row, uint32 lane, cycle_t c) {
    const uint32 of_layer = p->first_lane + lane, line = p->three ? of_layer / p->nx : 0u;
    cycle_t sum = p->lambda[0][of_layer - line * p->nx] + p->lambda_of_row[row];
    if (p->three) {
        sum += p->lambda[1][line];
    }
    return sum > (cycle_t)0 ? c / sum : (cycle_t)0;
}

#endif
