/* The plain loops that a textbook gives for  u' = u + dt (b - A u)  and for conjugate gradients, A the Laplacian of cells of edge 1 between
 * sides of value 0, on n^2 or n^3 cells with a layer of zeros around:
 *
 *   textbook_loops heat|cg DIMENSIONS N ITERATIONS     prints microseconds per iteration
 *
 * Bytes per cell and iteration, float64: heat reads u, b, writes u: 24; cg reads p, writes q, reads and writes x, r, reads p, q, reads r
 * and reads and writes p: 88. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int n, layers; /* cells along x and y; along z, 1 in 2D */
    long row, layer, cells;
} grid_t;

static double *new_field(const grid_t *g) {
    double *field = aligned_alloc(64, ((size_t)g->cells * sizeof(double) + 63) / 64 * 64);
    if (field == NULL) {
        exit(1);
    }
#pragma omp parallel for /* pages belong to who works on them */
    for (long k = 0; k < g->cells; ++k) {
        field[k] = 0.0;
    }
    return field;
}

#define FOR_ROWS(g, first)                                                                           \
    for (int z = 0; z < (g)->layers; ++z)                                                            \
        for (int y = 0; y < (g)->n; ++y)                                                             \
            for (long first = 1 + (y + 1) * (g)->row + ((g)->layers > 1 ? (z + 1) * (g)->layer : 0), \
                      once = 1;                                                                      \
                 once; once = 0)

static inline double laplacian(const grid_t *g, const double *u, long k) {
    double sum = 4.0 * u[k] - u[k - 1] - u[k + 1] - u[k - g->row] - u[k + g->row];
    if (g->layers > 1) {
        sum += 2.0 * u[k] - u[k - g->layer] - u[k + g->layer];
    }
    return sum;
}

static void step(const grid_t *g, const double *u, const double *b, double *next) {
    const double dt = 0.1;
#pragma omp parallel for collapse(2)
    FOR_ROWS(g, first) {
        for (long k = first; k < first + g->n; ++k) {
            next[k] = u[k] + dt * (b[k] - laplacian(g, u, k));
        }
    }
}

static double iterate(const grid_t *g, double *x, double *r, double *p, double *q, double squares) {
    double curvature = 0.0, left = 0.0;
#pragma omp parallel for collapse(2) reduction(+ : curvature)
    FOR_ROWS(g, first) {
        for (long k = first; k < first + g->n; ++k) {
            q[k] = laplacian(g, p, k);
            curvature += p[k] * q[k];
        }
    }
    const double alpha = squares / curvature;
#pragma omp parallel for collapse(2) reduction(+ : left)
    FOR_ROWS(g, first) {
        for (long k = first; k < first + g->n; ++k) {
            x[k] += alpha * p[k];
            r[k] -= alpha * q[k];
            left += r[k] * r[k];
        }
    }
    const double beta = left / squares;
#pragma omp parallel for collapse(2)
    FOR_ROWS(g, first) {
        for (long k = first; k < first + g->n; ++k) {
            p[k] = r[k] + beta * p[k];
        }
    }
    return left;
}

int main(int count, char **words) {
    if (count != 5) {
        fprintf(stderr, "usage: textbook_loops heat|cg DIMENSIONS N ITERATIONS\n");
        return 2;
    }
    const int heat = strcmp(words[1], "heat") == 0, flat = atoi(words[2]) == 2, iterations = atoi(words[4]);
    grid_t g = {atoi(words[3]), flat ? 1 : atoi(words[3]), 0, 0, 0};
    g.row = g.n + 2;
    g.layer = g.row * (g.n + 2);
    g.cells = g.layer * (flat ? 1 : g.n + 2);
    double *x = new_field(&g), *r = new_field(&g), *p = new_field(&g), *q = new_field(&g);
    double squares = 0.0;
    srand(1);
    FOR_ROWS(&g, first) {
        for (long k = first; k < first + g.n; ++k) {
            r[k] = p[k] = rand() / (double)RAND_MAX - 0.5;
            squares += r[k] * r[k];
        }
    }
    const double begin = omp_get_wtime();
    for (int k = 0; k < iterations; ++k) {
        if (heat) {
            step(&g, k % 2 ? q : p, r, k % 2 ? p : q);
        } else {
            squares = iterate(&g, x, r, p, q, squares);
        }
    }
    printf("%.3f\n", (omp_get_wtime() - begin) / iterations * 1e6);
    return p[1] > 1e300;
}
