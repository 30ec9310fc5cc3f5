// The physical problem, sampled on the grid: the common input of the kernels and the reference.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solver/case_file/config.hpp"
#include "solver/cell_range.hpp"
#include "solver/problem/cell_labels.hpp"
#include "solver/problem/large_vector.hpp"
#include "solver/problem/material_image.hpp"

namespace perdure {

/// A box of cells. Index of cell (x, y, z): x + cells[0] * (y + cells[1] * z). In 2D cells[2] = 1.
struct Grid {
    int dimensions = 2;
    std::array<std::int64_t, 3> cells{1, 1, 1};  // x, y, z
    std::array<double, 3> spacing{1.0, 1.0, 1.0};
    std::array<double, 3> origin{0.0, 0.0, 0.0};
    bool is_line = false;  // one cell across: a grid of one axis (GridConfig)

    /// As a case has them and results show them.
    [[nodiscard]] int axes() const { return is_line ? 1 : dimensions; }
    [[nodiscard]] std::int64_t count() const { return cells[0] * cells[1] * cells[2]; }
    [[nodiscard]] std::int64_t index(std::int64_t x, std::int64_t y, std::int64_t z) const {
        return x + cells[0] * (y + cells[1] * z);
    }
    [[nodiscard]] double centre(int axis, std::int64_t i) const {
        return origin[axis] + (static_cast<double>(i) + 0.5) * spacing[axis];
    }
};

inline Grid grid_of(const GridConfig &config) {
    return {config.dimensions, config.cells, config.spacing, config.origin, config.is_line};
}

/// Values of a cell field or of a side: one number, or one per cell (per face of the side). Those of a label image are numbers of labels,
/// which cells share.
struct Samples {
    LargeVector<double> values{
        0.0};  // of label 0, 1, ... where there are labels; a label that no cell has repeats another one's
    CellLabels labels{};  // of the cells; empty: the values are theirs
    [[nodiscard]] bool uniform() const { return values.size() == 1 && labels.empty(); }
    /// 1 where they are uniform.
    [[nodiscard]] std::int64_t count() const {
        return static_cast<std::int64_t>(labels.empty() ? values.size() : labels.size());
    }
    double operator[](std::int64_t i) const {
        return !labels.empty() ? values[labels[static_cast<std::size_t>(i)]]
                               : values[values.size() == 1 ? 0 : i];
    }
};

/// `values`: one of each label that a cell has, or more.
Samples samples_of_labels(CellLabels labels, const std::vector<double> &values);

/// Gives each cell a value of its own where labels have them.
void expand(Samples &samples);

/// A side with what the case gives for its faces; faces are ordered as cells, the side's own axis left out (slowest first). The
/// condition that follows for each face: solver/boundary_conditions.
struct Side {
    SideKind kind = SideKind::flux;
    Samples values;           // of the right-hand side
    Samples coefficient;      // of the operator
    std::string time_factor;  // scales `values`; empty: 1
};

/// An unknown of the problem with all that its equation needs:
/// -div(a grad u) + v . grad u + sigma u = f, or in time c du/dt = div(a grad u) - sigma u + f.
struct Field {
    Field();  // here and below: compiled once, not by each user
    Field(const Field &);
    Field(Field &&) noexcept;
    Field &operator=(const Field &);
    Field &operator=(Field &&) noexcept;
    ~Field();

    std::string name;                 // as the equation declares it
    std::size_t cells_of = 0;         // index of the field whose solid and cut-off cells are its own too
    std::optional<std::string> unit;  // empty: the case gives none
    std::string flux_unit;            // of -a grad u; empty: not known
    bool in_time = false;             // else steady
    Samples a;                        // >= 0, as given: cut-off pores are still in it
    Samples sigma;                    // >= 0
    Samples capacity{{1.0}};          // c, > 0
    Samples f;
    std::string f_time_factor;
    Samples initial;                  // values at time 0, or the initial guess of a steady field
    std::array<Side, 6> sides;        // x-, x+, y-, y+, z-, z+
    bool convective = false;          // has a velocity
    std::array<Samples, 3> velocity;  // x, y, z; no convection where a = 0
    Convection convection = Convection::central;
    MaterialImage
        image;  // that `a` comes from, of an effective case; the sides are those of its first direction
    bool varies_by_axis = false;  // the coefficient of the image; then `a` is its mean over the axes
    int falls_along =
        -1;  // periodic axis along which u falls by 1 from one period to the next; -1: u is periodic

    [[nodiscard]] bool is_of_image() const { return !image.of_cell.empty(); }
    [[nodiscard]] double a_along(int axis, std::int64_t cell) const {
        return varies_by_axis ? image.materials[image.of_cell[cell]].along(axis) : a[cell];
    }
    /// By how much u beyond a periodic side is above u of the cell at the opposite side.
    [[nodiscard]] double jump_beyond(int side) const {
        return side / 2 != falls_along ? 0.0 : side % 2 == 0 ? 1.0 : -1.0;
    }
};

/// Fields on one grid.
struct Problem {
    Problem();  // here and below: compiled once, not by each user
    Problem(const Problem &);
    Problem(Problem &&) noexcept;
    Problem &operator=(const Problem &);
    Problem &operator=(Problem &&) noexcept;
    ~Problem();

    Grid grid;
    std::vector<Field> fields;                    // in the order in which the equation declares them
    std::shared_ptr<const SystemConfig> system;   // whose fields these are, else null
    std::shared_ptr<const SystemConfig> watched;  // that has what is watched: `system`, or Config::watched_as
    std::vector<Samples> coefficients;            // of `watched`
    std::vector<CellRange> initial_cells;         // those whose initial values are sampled; none: all
    double start_time = 0.0;                      // when the initial values hold
    /// Of the system with the integrator of the case (solver/run/stable_system_step.hpp); infinite: nothing is known.
    double stable_time_step = std::numeric_limits<double>::infinity();
    std::vector<Diagnostic> warnings;

    /// The field of a problem that has one. Throws Failure(differs_or_internal) for any other number of fields.
    [[nodiscard]] const Field &only_field() const;
    [[nodiscard]] Field &only_field();
};

/// "max |u|": the largest magnitude of the fields, by which reports follow a run in time.
std::string largest_of(const Problem &problem);

/// Reads files, evaluates expressions at cell (face) centres, checks values.
/// Throws Failure(bad_input) with every finding (negative or NaN coefficient with its cell, wrong shape,
/// label without a value, dataset not there with the closest name), Failure(input_output) for unreadable
/// files, Failure(case_or_usage) for expressions that do not parse.
Problem make_problem(const Config &config);

/// Value of a time factor g(t); the expression knows t and pi. An empty text is 1. Throws
/// Failure(case_or_usage).
std::vector<double> evaluate_time_factor(const std::string &expression, const std::vector<double> &times);

}  // namespace perdure
