#include "solver/run/read_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/watch_setup.h"
#include "solver/failure.hpp"
#include "solver/output/series_columns.hpp"
#include "solver/time_spent.hpp"

namespace perdure {
std::size_t SeriesRows::rows_on_device() const {
    std::array<watch_state_t, 2> state{};
    run_.read(call_.place_of("watch_state"), state.data(), sizeof state);
    const std::size_t rows = std::max(state[0].rows, state[1].rows) - rows_taken();
    if (rows > watched_->setup().rows) {
        throw Failure(ExitCode::differs_or_internal,
                      fmt::format("internal error: the series has room for {} rows, but the run made {}",
                                  watched_->setup().rows, rows));
    }
    return rows;
}

void SeriesRows::take_if_full() {
    if (watched_ != nullptr && rows_on_device() == watched_->setup().rows) {
        taken_ = values();
    }
}

std::vector<double> SeriesRows::values() const {
    if (watched_ == nullptr) {
        return {};
    }
    const TimeSpent::Scope downloading(Activity::download);
    std::vector<double> all = taken_;
    const std::size_t more = rows_on_device() * columns();
    all.resize(all.size() + more);
    run_.read(call_.place_of("series"), all.data() + (all.size() - more), more * sizeof(double));
    return all;
}

void SeriesRows::restore(const std::vector<double> &values) {
    if (watched_ == nullptr) {
        return;
    }
    const std::size_t room = watched_->setup().rows * columns();
    const std::size_t taken = values.size() / room * room;
    taken_.assign(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(taken));
    run_.write(call_.place_of("series"), values.data() + taken, (values.size() - taken) * sizeof(double));
}

std::shared_ptr<const Series> read_series(const SeriesRows &rows, const Grid &grid) {
    const systems::WatchMemory &watched = *rows.watched();
    const std::size_t columns = watched.setup().columns;
    const std::vector<double> values = rows.values();
    Series series = series_without_rows(*watched.watch(), grid.axes());
    for (std::size_t row = 0; row < values.size() / columns; ++row) {
        const double *at = values.data() + row * columns;
        series.times.push_back(*at++);
        series.steps.push_back(static_cast<std::int64_t>(*at++));
        for (SeriesVariable &variable : series.variables) {
            variable.values.insert(variable.values.end(), at, at + variable.width);
            at += variable.width;
        }
    }
    return std::make_shared<const Series>(std::move(series));
}

double largest_magnitude(const std::vector<FieldResult> &fields) {
    double largest = 0.0;
    for (const FieldResult &field : fields) {
        std::visit(
            [&](const auto &values) {
                for (const auto value : values) {
                    largest = std::max(largest, std::abs(static_cast<double>(value)));
                }
            },
            field.values);
    }
    return largest;
}

std::vector<ErrorNorms> errors_at_the_end(const systems::WatchMemory &watched, const Series &series) {
    std::vector<ErrorNorms> errors;
    for (const systems::Watch::ErrorNorms &of : watched.watch()->errors) {
        const auto last = [&](std::size_t which) {
            return series.variables[of.integrals[which]].values.back();
        };
        if (!series.times.empty()) {
            errors.push_back({of.field, last(0), last(1), last(2), series.times.back()});
        }
    }
    return errors;
}

}  // namespace perdure
