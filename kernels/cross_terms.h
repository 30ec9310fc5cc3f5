/* What full conductivity tensors add to the operator of kernels/operator.h, which holds their diagonals: the symmetric multi-point flux
 * approximation (MPFA-O; Aavatsmark, Comput. Geosci. 6, 2002, 405-432), in the form of an energy.
 *
 *   (A u)_i = (A_diagonal u)_i + sum over vertices v of cell i, over cells j at v, of  C_v[i][j] (u_j - u_i)  +  C_v[i][i] u_i
 *   C_v     = S(K) - S(diagonal of K)
 *   S(K)    : u . S(K) u = minimum over the values w of
 *             2^-d sum over cells j at v of  g_j . K_j g_j,    (g_j)_k = +-2 (w_kj - u_j) / h_k
 *
 * A vertex v is a corner that up to 2^d cells share. w_kj is the value in the middle of the face of cell j that lies across axis k and
 * touches v; two cells share it. The minimum is where the normal fluxes of both cells at a face are equal, and 0 where one of them
 * does not conduct. On a side that holds a value w is that value; there C_v[i][i] is what is left of the row, elsewhere 0.
 * S(K) is exact for fields that are linear in each of the materials of layers along the axes. Where all tensors at v are diagonal, faces do
 * not act on each other, S is what kernels/operator.h has, and C_v is 0. Since lambda D <= K <= Lambda D for the diagonals D of the
 * tensors bounds A by A_diagonal in the same way, cycles that are made for A_diagonal precondition A well unless lambda / Lambda is small.
 *
 * Equal vertices share a matrix: of_vertex[v] is its number, 0 where C_v is 0. Vertex v of (x, y, z) lies at the lower corner of that cell, or at
 * the upper side where x = nx. Cells at a vertex are numbered: bit k is 1 for those above it along axis k.
 *
 * Kernels have this form where BY_TENSORS is defined.
 *
 * Shapes: of_vertex [nz + 1][ny + 1][nx + 1], in 2D [ny + 1][nx + 1]; matrices [count][2^d][2^d]. Units: those of conductances.
 * Bytes per cell: 4, and matrices and neighbours from the cache. */
#ifndef PERDURE_KERNELS_CROSS_TERMS_H
#define PERDURE_KERNELS_CROSS_TERMS_H

#include "kernels/grid.h"
#include "kernels/real_type.h"

#define CELLS_AT_VERTEX_2D 4u
#define CELLS_AT_VERTEX_3D 8u
#define CELLS_AT_VERTEX(dimensions) ((dimensions) == 3u ? CELLS_AT_VERTEX_3D : CELLS_AT_VERTEX_2D)

typedef struct {
    GLOBAL const uint32 *of_vertex;
    GLOBAL const real_t *matrices;
} cross_terms_t;

/* The matrices at the vertices of a cell; vertex k is the one above it along the axes whose bits are 1. */
typedef struct {
    uint32 of_vertex[CELLS_AT_VERTEX_3D];
    uint32 any;
} vertices_t;

FUNCTION vertices_t vertices_of(const cross_terms_t *C, const run_parameters_t *grid, cell_t cell) {
    const uint32 count = CELLS_AT_VERTEX(DIMENSIONS(grid));
    const uint32 line = grid->nx + 1u, layer = line * (grid->ny + 1u);
    const uint32 first = cell.x + line * cell.y + (count == CELLS_AT_VERTEX_3D ? layer * cell.z : 0u);
    vertices_t vertices;
    vertices.any = 0u;
    UNROLLED
    for (uint32 k = 0; k < CELLS_AT_VERTEX_3D; ++k) {
        const uint32 place = first + (k & 1u) + line * (k >> 1u & 1u) + layer * (k >> 2u);
        vertices.of_vertex[k] = k < count ? C->of_vertex[place] : 0u;
        vertices.any |= vertices.of_vertex[k];
    }
    return vertices;
}

/* Cells around a cell, which is the one in the middle: at 1 + 3 + 9 in 3D, at 1 + 3 in 2D. */
#define CUBE_CELLS_2D 9u
#define CUBE_CELLS_3D 27u
#define CUBE_CELLS(dimensions) ((dimensions) == 3u ? CUBE_CELLS_3D : CUBE_CELLS_2D)

typedef struct {
    real_t at[CUBE_CELLS_3D];
} cube_t;

/* The linear index of one of them. */
FUNCTION index_t cell_of_cube(const stencil_t *s, uint32 k, uint32 dimensions) {
    const index_t here = s->cell[CENTRE];
    const uint32 x = k % 3u, y = k / 3u % 3u, z = dimensions == 3u ? k / 9u : 1u;
    index_t cell = here;
    cell += x == 0u ? s->cell[WEST] - here : x == 2u ? s->cell[EAST] - here : (index_t)0;
    cell += y == 0u ? s->cell[SOUTH] - here : y == 2u ? s->cell[NORTH] - here : (index_t)0;
    cell += z == 0u ? s->cell[BELOW] - here : z == 2u ? s->cell[ABOVE] - here : (index_t)0;
    return cell;
}

FUNCTION cube_t cube_of(GLOBAL const real_t *field, const stencil_t *s, uint32 dimensions) {
    cube_t cube;
    UNROLLED
    for (uint32 k = 0; k < CUBE_CELLS_3D; ++k) {
        cube.at[k] = k < CUBE_CELLS(dimensions) ? field[cell_of_cube(s, k, dimensions)] : (real_t)0;
    }
    return cube;
}

/* What the vertices of a cell add to A u, u in the cells around it. */
FUNCTION real_t cross_terms_of(const cross_terms_t *C, const vertices_t *vertices, const cube_t *u,
                               uint32 dimensions) {
    const uint32 count = CELLS_AT_VERTEX(dimensions);
    const real_t here = u->at[CUBE_CELLS(dimensions) / 2u];
    real_t sum = (real_t)0;
    UNROLLED
    for (uint32 k = 0; k < CELLS_AT_VERTEX_3D; ++k) {
        if (k >= count || vertices->of_vertex[k] == 0u) {
            continue;
        }
        const uint32 own = count - 1u - k;
        GLOBAL const real_t *row = C->matrices + (vertices->of_vertex[k] * count + own) * count;
        UNROLLED
        for (uint32 j = 0; j < CELLS_AT_VERTEX_3D; ++j) {
            if (j < count) {
                const uint32 place = (k & 1u) + (j & 1u) + 3u * ((k >> 1u & 1u) + (j >> 1u & 1u)) +
                                     9u * ((k >> 2u) + (j >> 2u));
                sum = FUSED(row[j], j == own ? here : u->at[place] - here, sum);
            }
        }
    }
    return sum;
}

/* Of a field in memory. */
FUNCTION real_t cross_terms_of_field(const cross_terms_t *C, const run_parameters_t *grid, cell_t cell,
                                     const stencil_t *s, GLOBAL const real_t *field) {
    const vertices_t vertices = vertices_of(C, grid, cell);
    if (vertices.any == 0u) {
        return (real_t)0;
    }
    const cube_t u = cube_of(field, s, DIMENSIONS(grid));
    return cross_terms_of(C, &vertices, &u, DIMENSIONS(grid));
}

#endif
