#include "solver/run/image_operator.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "kernels/image_labels_fields.h"
#include "kernels/image_operator_fields.h"
#include "kernels/image_question.h"
#include "kernels/percolation_pass.h"
#include "kernels/plane_flow_fields.h"
#include "solver/backends/wait_limit.hpp"
#include "solver/boundary_conditions/boundary_condition.hpp"
#include "solver/run/assembler.hpp"
#include "solver/run/check_range.hpp"
#include "solver/run/conductance.hpp"
#include "solver/run/drive_launches.hpp"
#include "solver/run/image_tables.hpp"
#include "solver/run/kernel_buffers.hpp"
#include "solver/run/run_memory.hpp"
#include "solver/time_spent.hpp"

namespace perdure {
namespace {

bool is_periodic_cell(const Field &field) {
    return field.falls_along >= 0;
}

/// The direction of the field: the axis along which u falls from one period to the next, or whose sides hold values.
int axis_of(const Field &field) {
    int axis = 0;
    while (!fall_along(field, axis)) {
        ++axis;
    }
    return axis;
}

/// The side that holds 1; of a periodic cell that from which u falls.
std::uint32_t held_side(const Field &field) {
    const int axis = axis_of(field);
    return static_cast<std::uint32_t>(2 * axis + (*fall_along(field, axis) > 0.0 ? 0 : 1));
}

/// b of a periodic cell: what the fall of u from one period to the next drives through the faces that join the two sides.
template <typename Real>
LargeVector<Real> b_of_periodic_cell(const Grid &grid, const Field &field) {
    const int axis = axis_of(field);
    auto b = zeros<Real>(static_cast<std::size_t>(grid.count()));
    for_each_face_across(grid, field, axis, [&](std::int64_t lower, std::int64_t upper, double t) {
        b[lower] += static_cast<Real>(t) * static_cast<Real>(field.jump_beyond(2 * axis));
        b[upper] += static_cast<Real>(t) * static_cast<Real>(field.jump_beyond(2 * axis + 1));
    });
    return b;
}

/// b in all cells, where tensors have cross terms.
LargeVector<double> b_of_tensors(const Grid &grid, const Field &field, const ActiveCells &cells) {
    LargeVector<double> b;
    if (is_periodic_cell(field)) {
        b = b_of_periodic_cell<double>(grid, field);
    } else {
        b = zeros<double>(static_cast<std::size_t>(grid.count()));
        const std::uint32_t side = held_side(field);
        const int axis = axis_of(field);
        for_each_beside(grid, static_cast<int>(side), [&](std::int64_t index, const Cell & /*cell*/) {
            if (cells.is_active(index)) {
                const double t =
                    side_conductance(field.sides[side], field.a_along(axis, index), grid.spacing[axis], 0);
                b[index] += t * *held_value(field.sides[side]);
            }
        });
    }
    add_cross_terms_to_b(grid, field, b);
    return b;
}

/// b in the cells beside the side that holds 1; of a periodic cell, and of tensors, in all cells.
LargeVector<double> entries_of_b(const Grid &grid, const Field &field, const ActiveCells &cells) {
    const std::uint32_t side = held_side(field);
    if (field.image.has_cross_terms()) {
        return b_of_tensors(grid, field, cells);
    }
    if (is_periodic_cell(field)) {
        return b_of_periodic_cell<double>(grid, field);
    }
    const double h = grid.spacing[side / 2];
    LargeVector<double> b;
    for_each_beside(grid, static_cast<int>(side), [&](std::int64_t index, const Cell & /*cell*/) {
        if (cells.is_active(index)) {
            const double a = field.a_along(static_cast<int>(side / 2), index);
            b.push_back(side_conductance(field.sides[side], a, h, 0) * *held_value(field.sides[side]));
        }
    });
    return b;
}

/// The argument of the solve where a field lies. By labels its arrays lie, before and after the solve, where this has no use for what it
/// keeps there.
std::string_view argument_of(const KernelCall &call, std::string_view field) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> lent{
        {{"diagonal", "q"}, {"face_x", "p"}, {"face_y", "r_odd"}, {"face_z", "r_even"}}};
    for (const auto &[name, place] : lent) {
        if (by_labels(call.form) && field == name) {
            return place;
        }
    }
    return field;
}

}  // namespace

template <typename Real>
Discretisation<Real> discretise_image(const Grid &grid, const Field &field, const ActiveCells &cells,
                                      bool by_labels) {
    Discretisation<Real> out;
    out.on_device = true;
    out.spectrum_top = 2.0;
    out.diagonal = image_table<Real>(grid, field);
    for (const Real conductance : out.diagonal) {
        out.inverse_diagonal.push_back(conductance > Real(0) ? Real(1) / conductance : Real(0));
    }
    if (by_labels) {
        LabelCoefficients coefficients;
        for (std::size_t i = 0; i < field.image.conducting(); ++i) {
            const Material &material = field.image.materials[i];
            coefficients.push_back({material.along(0), material.along(1), material.along(2)});
        }
        out.labels.table = label_table<Real>(grid, field.sides, coefficients, SidesRounded::one_by_one);
        out.labels.count = static_cast<std::uint32_t>(coefficients.size() + 1);
        if (!is_periodic_cell(field)) {
            out.labels.b_by_labels = 1;
            out.labels.b = b_table<Real>(grid, field.sides, coefficients, held_side(field));
            if (has_kinds(out.labels.count, field.image.of_cell.size())) {
                out.labels.has_kinds = 1;
                out.labels.inverses = inverse_table<Real>(grid, field.sides, coefficients);
            }
        }
    }
    if (field.image.has_cross_terms()) {
        out.cross_terms = cross_terms_of<Real>(grid, field);
    }
    const LargeVector<double> b = entries_of_b(grid, field, cells);
    out.b_survey.template take<Real>(0, std::ssize(b), [&](std::int64_t first, std::span<double> to) {
        std::copy_n(b.begin() + first, to.size(), to.begin());
    });
    check_range(out);
    return out;
}

template <typename Real>
typename ImageSolve<Real>::Launched ImageSolve<Real>::launch(const char *kernel,
                                                             std::span<const KernelField> fields,
                                                             std::vector<KernelBuffer> given,
                                                             const KernelCall &call, DeviceRun &run) {
    const LaunchPlan plan = plan_preparation(kernel, plan_, config_, device_);
    const std::size_t cells = field_.image.of_cell.size();
    const std::vector<KernelBuffer> common = preparation_buffers(plan.shape.groups);
    given.insert(given.end(), common.begin(), common.end());
    for (const KernelField &field : fields) {
        const bool bytes = field.size == FieldSize::bytes;
        const bool is_given = std::ranges::find(given, field.name, &KernelBuffer::name) != given.end();
        if (!is_given && (bytes || field.size == FieldSize::cells)) {
            given.push_back({field.name, cells * (bytes ? 1 : sizeof(Real)), nullptr,
                             run.memory(call.place_of(argument_of(call, field.name))), true});
        }
    }
    Launched launched{{kernel, field_precision(config_.execution.precision), {}}, nullptr};
    launched.call.buffers = kernel_buffers(fields, given, {});
    {
        const TimeSpent::Scope uploading(Activity::upload);
        launched.run = device_.prepare(launched.call, plan.shape);
    }
    Progress progress(Progress::Style::quiet, 1);
    LaunchDriver driver(*launched.run, plan, progress);
    run_parameters_t parameters = parameters_;
    parameters.wait_limit = watchdog_limit(device_, config_.execution);
    driver.run(parameters, 0, 1);
    beside_.seconds += launched.run->launch_seconds();
    beside_.launches += driver.launches();
    return launched;
}

template <typename Real>
image_question_t ImageSolve<Real>::question(const KernelCall &call) const {
    const bool by_tables = by_labels(call.form) && !is_periodic_cell(field_);
    const auto labels = static_cast<std::uint32_t>(field_.image.conducting() + 1);
    return {static_cast<std::uint32_t>(field_.image.materials.size()),
            BOTH_FACES(static_cast<unsigned>(axis_of(field_))),
            held_side(field_),
            is_unpreconditioned(config_) ? 1U : 0U,
            by_tables ? 1U : 0U,
            by_tables && has_kinds(labels, field_.image.of_cell.size()) ? labels : 0U};
}

template <typename Real>
void ImageSolve<Real>::make_operator(const KernelCall &call, DeviceRun &run) {
    make_arrays(call, run);
    if (by_labels(call.form)) {
        constexpr std::array fields{PREPARATION_KERNEL_FIELDS(IMAGE_LABELS_FIELDS)};
        const image_question_t asked = question(call);
        const std::size_t cells = field_.image.of_cell.size();
        std::vector<KernelBuffer> given{{"question", sizeof asked, &asked},
                                        {"material", cells, nullptr, image_.material, true},
                                        {"reached", cells, nullptr, image_.faces, true}};
        if (asked.labels_of_kinds != 0) {
            given.push_back({"inverse_diagonal", sizeof(Real)});
            given.push_back(
                {"kinds", cells * sizeof(std::uint16_t), nullptr, run.memory(call.place_of("kinds")), true});
        } else {
            given.push_back({"kinds", sizeof(std::uint16_t)});
        }
        launch("image_labels", fields, std::move(given), call, run);
    }
    if (field_.image.has_cross_terms()) {
        const LargeVector<double> b = b_of_tensors(grid_, field_, cells_);
        LargeVector<Real> rounded(b.size());
        std::transform(b.begin(), b.end(), rounded.begin(),
                       [](double value) { return static_cast<Real>(value); });
        const TimeSpent::Scope uploading(Activity::upload);
        run.write(call.place_of("b"), rounded.data(), rounded.size() * sizeof(Real));
    } else if (is_periodic_cell(field_)) {
        const TimeSpent::Scope uploading(Activity::upload);
        const LargeVector<Real> b = b_of_periodic_cell<Real>(grid_, field_);
        run.write(call.place_of("b"), b.data(), b.size() * sizeof(Real));
    }
}

template <typename Real>
void ImageSolve<Real>::make_arrays(const KernelCall &call, DeviceRun &run) {
    constexpr std::array fields{PREPARATION_KERNEL_FIELDS(IMAGE_OPERATOR_FIELDS)};
    const image_question_t asked = question(call);
    const std::size_t cells = field_.image.of_cell.size();
    std::vector<KernelBuffer> given{{"question", sizeof asked, &asked},
                                    buffer_of("table", table_),
                                    {"material", cells, nullptr, image_.material, true},
                                    {"reached", cells, nullptr, image_.faces, true}};
    if (asked.without_b != 0) {
        given.push_back({"b", sizeof(Real)});
    }
    if (asked.labels_of_kinds != 0) {
        given.push_back({"inverse_diagonal", sizeof(Real)});
    }
    launch("image_operator", fields, std::move(given), call, run);
}

template <typename Real>
EffectiveProperties ImageSolve<Real>::through_flow(const KernelCall &call, DeviceRun &run,
                                                   std::size_t answer) {
    if (by_labels(call.form)) {
        make_arrays(call, run);
    }
    constexpr std::array fields{PREPARATION_KERNEL_FIELDS(PLANE_FLOW_FIELDS)};
    const int axis = axis_of(field_);
    const std::uint32_t held = held_side(field_);
    const std::size_t cells = field_.image.of_cell.size();
    const auto planes = static_cast<std::size_t>(grid_.cells[axis]) + 1;
    std::vector<double> sums(PLANE_SUMS * planes * PLANE_PARTS);
    const Launched launched = launch("plane_flow", fields,
                                     {{"held", sizeof held, &held},
                                      {"u", cells * sizeof(Real), nullptr, run.memory(answer), true},
                                      {"sums", sums.size() * sizeof(double)}},
                                     call, run);
    launched.run->read(launched.call.place_of("sums"), sums.data(), sums.size() * sizeof(double));
    if (is_periodic_cell(field_) || field_.image.has_cross_terms()) {
        const TimeSpent::Scope downloading(Activity::download);
        LargeVector<Real> u(cells);
        run.read(answer, u.data(), cells * sizeof(Real));
        if (is_periodic_cell(field_)) {
            add_faces_across(grid_, field_, axis, u, sums);
        }
        if (field_.image.has_cross_terms()) {
            set_tensor_sums(grid_, field_, axis, u, sums);
        }
    }
    return effective_properties(grid_, field_, axis, sums, 0.5 * std::numeric_limits<Real>::epsilon());
}

template Discretisation<float> discretise_image(const Grid &, const Field &, const ActiveCells &, bool);
template Discretisation<double> discretise_image(const Grid &, const Field &, const ActiveCells &, bool);
template class ImageSolve<float>;
template class ImageSolve<double>;

}  // namespace perdure
