/* A level of a uniform problem solved exactly: fast diagonalisation (Lynch, Rice and Thomas, Direct solution of partial
 * difference equations by tensor product methods, Numer. Math. 6, 1964), for axes whose modes have fast transforms.
 *
 *   c = F_x b,  c = F_y c                      each line along the axis: cells to modes (real_modes.h)
 *   c = F_z^T (F_z c / (lambda_x + lambda_y + lambda_z + sigma))      the last axis, in one; 0 where nothing fixes the constant
 *   u = F_x^T F_y^T c
 *
 * A group takes a block of neighbouring lines into its memory, transforms them there and puts them back in the same place:
 *
 *   load lines;  butterflies (butterflies.h);  store modes                                      to modes
 *   load modes as numbers;  butterflies back;  store lines                                      from modes
 *   load lines;  butterflies;  numbers to modes, divided, to numbers;  butterflies back;  store there and back
 *
 * Along x a block is some whole lines, across it neighbouring columns. Other axes of the same level may have products
 * instead (transform.h). Of ranks that share the level each transforms a part of the lines (line_parts.h), and what becomes of a line does not
 * depend on which. Between them two transpositions: from planes to lines before the last axis, and back. Of a cell a rank sends and receives
 * (1 - 1 / ranks) of its part twice; where ranks reach each other's memory, the step before stores it there.
 *
 * Values a cell and step: reads 1, writes 1. Barriers: one a step, 2 dimensions - 1. Group barriers a block: 2 and one behind
 * each pass, there and back twice as many passes and 3. */
#ifndef PERDURE_KERNELS_MULTIGRID_FAST_TRANSFORM_H
#define PERDURE_KERNELS_MULTIGRID_FAST_TRANSFORM_H

#include "kernels/multigrid/line_parts.h"
#include "kernels/multigrid/real_modes.h"

/* Units of lines whose values an item has under way at a time. */
#define UNITS_TOGETHER 4u

/* Four cells that make two numbers. */
typedef struct {
    cycle_t cell[4];
} four_cells_t;

typedef struct {
    complex_t number, other;
} numbers_t;

/* Of a unit: its cells first, first + 1, second and second + 1, and the places of its numbers. */
typedef struct {
    uint32 line, first, second;
    uint32 number, other;
} unit_t;

FUNCTION unit_t unit_at(const transform_t *t, uint32 index) {
    const in_block_t at = in_block(&t->block, index, t->units);
    const uint32 u = at.number, opposite = t->numbers.divisor - 1u - u;
    unit_t unit = {at.line, 4u * u, 4u * u + 2u, u, opposite};
    if (t->kind == LINES_PERIODIC) {
        unit.number = 2u * u;
        unit.other = 2u * u + 1u;
    } else if (!has_pairs(t->kind)) {
        unit.first = 2u * u;
        unit.second = 2u * opposite;
    }
    return unit;
}

/* Along x two neighbours are read and written at once. */
FUNCTION four_cells_t quad_at(GLOBAL const cycle_t *field, const transform_t *t, const origin_t *at,
                              const unit_t *unit) {
    const uint32 first = cell_of(t, at, unit->line, unit->first);
    const uint32 second = cell_of(t, at, unit->line, unit->second);
    four_cells_t quad;
    if (t->block.across) {
        quad.cell[0] = field[first];
        quad.cell[1] = field[first + t->cell_step];
        quad.cell[2] = field[second];
        quad.cell[3] = field[second + t->cell_step];
    } else {
        const complex_t low = *(GLOBAL const complex_t *)(field + first);
        const complex_t high = *(GLOBAL const complex_t *)(field + second);
        quad.cell[0] = low.re;
        quad.cell[1] = low.im;
        quad.cell[2] = high.re;
        quad.cell[3] = high.im;
    }
    return quad;
}

FUNCTION void put_quad(const transform_t *t, const origin_t *at, const unit_t *unit,
                       const four_cells_t *quad) {
    const uint32 first = cell_of(t, at, unit->line, unit->first);
    const uint32 second = cell_of(t, at, unit->line, unit->second);
    if (t->block.across) {
        array_of_plane(t, unit->first)[first] = quad->cell[0];
        array_of_plane(t, unit->first + 1u)[first + t->cell_step] = quad->cell[1];
        array_of_plane(t, unit->second)[second] = quad->cell[2];
        array_of_plane(t, unit->second + 1u)[second + t->cell_step] = quad->cell[3];
    } else {
        const complex_t low = {quad->cell[0], quad->cell[1]}, high = {quad->cell[2], quad->cell[3]};
        *(GLOBAL complex_t *)(t->to + first) = low;
        *(GLOBAL complex_t *)(t->to + second) = high;
    }
}

FUNCTION numbers_t numbers_of(const transform_t *t, const unit_t *unit, const four_cells_t *quad) {
    GLOBAL const complex_t *turns = t->turns;
    const cycle_t *x = quad->cell;
    const cycle_t sign = (cycle_t)(t->kind == LINES_VALUES ? -1 : 1);
    numbers_t z = {{x[0], x[2]}, {sign * x[3], sign * x[1]}};
    if (t->kind == LINES_PERIODIC) {
        const numbers_t periodic = {{x[0], x[1]}, {x[2], x[3]}};
        z = periodic;
    } else if (!has_pairs(t->kind)) {
        const uint32 backwards = t->kind == LINES_VALUE_THEN_NO_FLUX ? 1u : 0u;
        const complex_t outer = {backwards ? x[3] : x[0], backwards ? x[0] : x[3]};
        const complex_t inner = {backwards ? x[1] : x[2], backwards ? x[2] : x[1]};
        z.number = multiplied(outer, turns[unit->number]);
        z.other = multiplied(inner, turns[unit->other]);
    }
    return z;
}

FUNCTION four_cells_t quad_of(const transform_t *t, const unit_t *unit, numbers_t z) {
    GLOBAL const complex_t *turns = t->turns;
    const cycle_t sign = (cycle_t)(t->kind == LINES_VALUES ? -1 : 1);
    four_cells_t quad = {{z.number.re, sign * z.other.im, z.number.im, sign * z.other.re}};
    if (t->kind == LINES_PERIODIC) {
        const four_cells_t periodic = {{z.number.re, z.number.im, z.other.re, z.other.im}};
        quad = periodic;
    } else if (!has_pairs(t->kind)) {
        const uint32 backwards = t->kind == LINES_VALUE_THEN_NO_FLUX ? 1u : 0u;
        const complex_t outer = multiplied(z.number, conjugate(turns[unit->number]));
        const complex_t inner = multiplied(z.other, conjugate(turns[unit->other]));
        const four_cells_t one_side = {{backwards ? outer.im : outer.re, backwards ? inner.re : inner.im,
                                        backwards ? inner.im : inner.re, backwards ? outer.re : outer.im}};
        quad = one_side;
    }
    return quad;
}

/* Lines that are not there become 0. */
SEPARATE_PART void load_lines(LOCAL const transform_t *shared, LOCAL complex_t *given, origin_t origin) {
    LAUNCH_MEMORY(complex_t, numbers, given);
    const transform_t t = *shared;
    const uint32 count = t.units.divisor << t.block.log2_lines, step = group_size();
    ROLLED
    for (uint32 first = item_index(); first < count; first += UNITS_TOGETHER * step) {
        four_cells_t quad[UNITS_TOGETHER];
        for (uint32 k = 0; k < UNITS_TOGETHER; ++k) {
            const unit_t unit = unit_at(&t, first + k * step);
            const four_cells_t nothing = {{(cycle_t)0, (cycle_t)0, (cycle_t)0, (cycle_t)0}};
            const uint32 there = first + k * step < count ? is_there(&t, &origin, unit.line) : 0u;
            quad[k] = there ? quad_at(t.from, &t, &origin, &unit) : nothing;
        }
        for (uint32 k = 0; k < UNITS_TOGETHER; ++k) {
            if (first + k * step < count) {
                const unit_t unit = unit_at(&t, first + k * step);
                const numbers_t z = numbers_of(&t, &unit, quad + k);
                numbers[number_at(&t.block, unit.line, unit.number)] = z.number;
                numbers[number_at(&t.block, unit.line, unit.other)] = z.other;
            }
        }
    }
}

SEPARATE_PART void store_lines(LOCAL const transform_t *shared, LOCAL complex_t *given, origin_t origin) {
    LAUNCH_MEMORY(complex_t, numbers, given);
    const transform_t t = *shared;
    ROLLED
    for (uint32 index = item_index(); index < t.units.divisor << t.block.log2_lines; index += group_size()) {
        const unit_t unit = unit_at(&t, index);
        if (is_there(&t, &origin, unit.line)) {
            const numbers_t z = {numbers[number_at(&t.block, unit.line, unit.number)],
                                 numbers[number_at(&t.block, unit.line, unit.other)]};
            four_cells_t quad = quad_of(&t, &unit, z);
            if (t.sum) {
                const four_cells_t before = quad_at(t.to, &t, &origin, &unit);
                for (uint32 k = 0; k < 4u; ++k) {
                    quad.cell[k] += before.cell[k];
                }
            }
            put_quad(&t, &origin, &unit, &quad);
        }
    }
}

FUNCTION void all_passes(LOCAL const kept_t *kept, LOCAL complex_t *numbers, uint32 axis, uint32 back) {
    const uint32 count = kept->transform.passes;
    ROLLED
    for (uint32 k = 0; k < count; ++k) {
        const uint32 number = back ? count - 1u - k : k;
        do_pass(&kept->transform, kept->lines[axis].pass + number, numbers, back);
        group_barrier();
    }
}

FUNCTION void transform_block(LOCAL const kept_t *kept, LOCAL complex_t *numbers, uint32 axis, uint32 way,
                              origin_t origin) {
    if (way != FROM_MODES) {
        load_lines(&kept->transform, numbers, origin);
        group_barrier();
        all_passes(kept, numbers, axis, 0u);
    }
    if (has_pairs(kept->transform.kind)) {
        modes_of_units(&kept->transform, numbers, way, origin);
    } else {
        modes_of_numbers(&kept->transform, numbers, way, origin);
    }
    group_barrier();
    if (way != TO_MODES) {
        all_passes(kept, numbers, axis, 1u);
        store_lines(&kept->transform, numbers, origin);
        group_barrier();
    }
}

FUNCTION void transform_blocks(LOCAL const kept_t *kept, LOCAL complex_t *numbers, uint32 axis, uint32 way,
                               team_t team) {
    const uint32 blocks = kept->transform.blocks_of_layer, layers = kept->transform.layers;
    const uint32 log2_lines = kept->transform.block.log2_lines;
    const uint32 layer_cells = kept->transform.layer_cells, line_step = kept->transform.line_step;
    const uint32 first_layer = kept->transform.first_layer, first = kept->transform.first_line;
    ROLLED
    FOR_EACH_SIDE_BY_SIDE(number, layers * blocks, team.group, team.groups) {
        const uint32 layer = number / blocks, first_line = first + ((number - layer * blocks) << log2_lines);
        const origin_t origin = {(first_layer + layer) * layer_cells + first_line * line_step, first_line};
        transform_block(kept, numbers, axis, way, origin);
    }
}

/* Each way has registers of its own. */
#define BLOCKS_OF_WAY(name, way)                                                                             \
    SEPARATE_PHASE void name(LOCAL const kept_t *kept, LOCAL complex_t *numbers, uint32 axis, team_t team) { \
        transform_blocks(kept, numbers, axis, way, team);                                                    \
    }
BLOCKS_OF_WAY(blocks_to_modes, TO_MODES)
BLOCKS_OF_WAY(blocks_from_modes, FROM_MODES)
BLOCKS_OF_WAY(blocks_there_and_back, THERE_AND_BACK)

/* By one item. */
FUNCTION void prepare_transform(const multigrid_t *self, const level_t *level, const step_t *step,
                                team_t team) {
    const run_parameters_t *grid = &level->grid;
    const uint32 axis = step->axis, cells = extent(grid, axis);
    const line_part_t part = part_of_lines(grid, axis, team);
    if (self->kept->levels == 0u) {
        self->kept->lines[axis] = self->hierarchy->lines[axis];
    }
    transform_t t;
    t.from = step->from == NO_COPY ? level->b : level_copy(level, step->from);
    t.sum = step->to == INTO_X ? 1u : 0u;
    t.to = t.sum ? self->x : level_copy(level, step->to);
    t.to_owners = stores_among_ranks(step, DIMENSIONS(grid) - 1u, team);
    t.tables = self->tables;
    t.turns = (GLOBAL const complex_t *)(self->tables + self->kept->lines[axis].turns);
    t.places = self->places + self->kept->lines[axis].places;
    t.own = self->tables + self->hierarchy->eigenvalues[axis];
    t.of_x = self->tables + self->hierarchy->eigenvalues[0];
    t.of_y = self->tables + self->hierarchy->eigenvalues[1];
    t.row = grid->row;
    t.three = DIMENSIONS(grid) == 3u ? 1u : 0u;
    t.kind = self->kept->lines[axis].kind;
    t.passes = self->kept->lines[axis].passes;
    t.numbers = self->kept->lines[axis].numbers;
    t.units = self->kept->lines[axis].units;
    t.block = block_of_lines(self->kept->lines + axis, axis == 0u ? 0u : 1u);
    t.cell_step = step_along(grid, axis);
    t.line_step = axis == 0u ? cells : 1u;
    t.layer_cells = lines_of_layer(grid, axis) * cells;
    t.first_layer = part.first_layer;
    t.layers = part.end_of_layers - part.first_layer;
    t.first_line = part.first_line;
    t.end_of_lines = part.end_of_lines;
    t.blocks_of_layer =
        (part.end_of_lines - part.first_line + (1u << t.block.log2_lines) - 1u) >> t.block.log2_lines;
    self->kept->transform = t;
}

FUNCTION void lines_step(const multigrid_t *self, const level_t *level, const step_t *step, team_t team) {
    if (item_index() == 0u) {
        prepare_transform(self, level, step, team);
    }
    group_barrier();
    if (step->way == TO_MODES) {
        blocks_to_modes(self->kept, (LOCAL complex_t *)self->lines, step->axis, team);
    } else if (step->way == FROM_MODES) {
        blocks_from_modes(self->kept, (LOCAL complex_t *)self->lines, step->axis, team);
    } else {
        blocks_there_and_back(self->kept, (LOCAL complex_t *)self->lines, step->axis, team);
    }
    group_barrier();
}

#endif
