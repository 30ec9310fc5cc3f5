// From the tree of a formula to terms of a graph: names become terms, derivatives become differences.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "solver/problem/problem.hpp"
#include "solver/systems/symbols.hpp"
#include "solver/systems/term_builder.hpp"

namespace perdure::systems {

/// Where a formula is taken: in the cell so many cells along x, y, z from the one that is computed, at its centre or at a face.
struct Shift {
    std::array<int, 3> cells{0, 0, 0};
    int face =
        0;  // 1, 2, 3: the upper face of the cell along x, y, z; -1, -2, -3: the lower one; 0: the centre

    friend auto operator<=>(const Shift &, const Shift &) = default;
};

/// A scalar or a vector of terms.
struct Lowered {
    int components =
        0;  // 1: a scalar; as many as the grid has dimensions: a vector; 0: nothing, there was a finding
    std::array<int, 3> terms{-1, -1, -1};
};

/// Most cells that a formula may look away along an axis.
inline constexpr int largest_radius = 8;
inline constexpr int most_terms = 100000;

/// 1 / h, 1 / (2 h) and 1 / h^2 of an axis of spacing h, by which formulas multiply instead of dividing, and h / 2; behind those of all
/// axes 1 / sqrt(h_x h_y ..), by which noise is multiplied: parameters behind those of the case file.
enum class SpacingFactor { inverse, inverse_of_two, inverse_square, half, count };
std::vector<std::pair<std::string, double>> spacing_parameters(const Grid &grid);

class Lowering {
  public:
    Lowering(const Symbols &symbols, int user_parameters, int dimensions, FormulaFindings &findings)
        : symbols_(symbols),
          user_parameters_(user_parameters),
          dimensions_(dimensions),
          findings_(findings) {}

    /// The value of a formula, of which `tree` must outlive this object; findings about scalars and vectors, and about what it would
    /// take. Its names were checked: what is unknown makes the value unusable without a word. `field`: whose rate it is, or -1.
    Lowered formula(const FormulaText &text, const formulas::Node &tree, int field = -1);
    /// The same where a scalar is needed: its term, or -1.
    int scalar_formula(const FormulaText &text, const formulas::Node &tree, int field = -1);

    /// Of a vector v its component along an axis at the upper or lower face of the cell, where n points out of the cell: v . n, as div(v) has
    /// it. -1: with findings.
    int through_face(const FormulaText &text, const formulas::Node &tree, int axis, bool upper);

    /// The largest of the sums over axes of |speed| / h that waves have here, of all terms so far that carry something; -1: none does.
    int fastest_wave();

    /// conserve() and upwind() are 0 from now on.
    void leave_out_waves() { leaves_out_waves_ = true; }

    [[nodiscard]] const Graph &graph() const { return builder_.graph(); }
    /// For terms that no formula says.
    [[nodiscard]] TermBuilder &builder() { return builder_; }

  private:
    using Node = formulas::Node;
    /// Part of a sum inside div(): factors before and below a vector.
    struct Flux {
        bool negative = false;
        std::vector<const Node *> factors, divisors;
        const Node *vector = nullptr;
    };
    /// conserve() as it is called. One speed: the flux of Rusanov; slowest and fastest: that of Harten, Lax and van Leer.
    struct Conservation {
        const Node *call = nullptr, *slowest = nullptr, *fastest = nullptr;  // slowest: may be null
        bool limited = false;
    };
    /// What is on one side of a face, along its axis.
    struct FaceState {
        int flux = -1, slowest = -1, fastest = -1, conserved = -1;
    };

    // lower.cpp
    Lowered within_limits(const FormulaText &text, int field, const std::function<Lowered()> &lower_text);
    Lowered lower(const Node &node, const Shift &shift);
    Lowered lower_whole(const Node &node, const Shift &shift, const Lowered *first);
    Lowered lower_name(const Node &node, const Shift &shift);
    int in_cell(Operation operation, int index, const Shift &shift);
    int coordinate(int axis, const Shift &shift);
    Lowered lower_vector(const Node &node, const Shift &shift);
    Lowered checked(const Node &node, const Lowered &value);
    int scalar(const Node &node, const Shift &shift);
    bool is_scalar(const Node &node, const Lowered &value);
    bool is_vector(const Node &node, const Lowered &value);
    int components_of(const Node &node);
    Lowered fail(const Node &node, const std::string &message);
    [[nodiscard]] std::string excerpt(const Node &node) const;
    void count_work();

    // lower_arithmetic.cpp
    Lowered lower_call(const Node &node, const Shift &shift, const Lowered *first);
    Lowered lower_arithmetic(const Node &node, const Shift &shift, const Lowered *first);
    Lowered lower_function(const Node &node, const Shift &shift, const Lowered *first);
    int function_of(const std::string &name, const std::vector<int> &arguments);
    Lowered lower_random(const Node &node, const Shift &shift);

    // lower_derivatives.cpp
    Lowered lower_derivative(const Node &node, const Shift &shift);
    Lowered lower_along_axes(const Node &node, const Shift &shift);
    Lowered lower_gradient(const Node &node, const Shift &shift);
    Lowered lower_dot(const Node &node, const Shift &shift);
    Lowered lower_upwind(const Node &node, const Shift &shift);
    int central(const Node &node, const Shift &shift, int axis);
    int second(const Node &node, const Shift &shift, int axis);
    int spacing(int axis, SpacingFactor factor);
    void add_wave(const Shift &shift, const std::array<int, 3> &speeds);

    // lower_conserve.cpp
    Lowered lower_conserve(const Node &node, const Shift &shift);
    bool read_conserve(const Node &node, Conservation &law);
    std::array<int, 3> speeds_in_cell(const Conservation &law, const Shift &shift);
    int through_upper_face(const Conservation &law, const Shift &shift, int axis);
    bool state_at_face(const Conservation &law, const Shift &shift, int axis, FaceState &state);
    int limited(Operation operation, int index, const Shift &shift);
    bool differentiates(const Node &node);

    // lower_divergence.cpp
    Lowered lower_divergence(const Node &node, const Shift &shift);
    void collect(const Node &sum, std::vector<Flux> &fluxes);
    int divergence_of(const Flux &flux, const Shift &shift);
    int divergence_of_gradient(const Flux &flux, const Shift &shift);
    Lowered out_through_face(const FormulaText &text, const Node &tree, int axis, bool upper);
    int out_through_face(const Flux &flux, int axis, bool upper);
    int divergence_of_vector(const Flux &flux, const Shift &shift);
    bool differentiates_along_axes(const Node &vector);
    bool varies(const Node &node, const Shift &shift);
    int product(int value, const std::vector<const Node *> &factors,
                const std::vector<const Node *> &divisors, const Shift &shift);

    const Symbols &symbols_;
    int user_parameters_, dimensions_;
    FormulaFindings &findings_;
    TermBuilder builder_;
    std::map<std::pair<const Node *, Shift>, Lowered> known_;
    std::map<const Node *, int> components_;
    std::vector<int> waves_;
    bool leaves_out_waves_ = false;

    // Of the formula that is lowered.
    const FormulaText *text_ = nullptr;
    int field_ = -1;
    bool inside_part_ = false;  // whose findings were reported when it was checked
    bool too_far_ = false;
    int depth_ = 0;
    std::int64_t work_ = 0;
};

/// Checks and lowers each part, which makes it usable in others; findings about it are made here alone.
void check_parts(Symbols &symbols, Lowering &lowering, FormulaFindings &findings);

/// A finding where a formula looks further away than the grid has cells.
void refuse_reach(const FormulaText &formula, const std::array<int, 3> &reach, const Grid &grid,
                  FormulaFindings &findings);

/// A shift by so many cells more along an axis.
Shift moved(Shift shift, int axis, int cells);

}  // namespace perdure::systems
