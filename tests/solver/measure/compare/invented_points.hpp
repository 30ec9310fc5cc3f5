// Points of a comparison that nobody measured.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "solver/measure/compare/compare.hpp"

namespace perdure::compare {

/// Three rounds around `microseconds` per iteration, 1 % to either side.
inline Result invented_member(const std::string &model, double microseconds) {
    Result result;
    result.name = model;
    result.model = model;
    result.seconds.values = {1.0e-6 * microseconds, 0.99e-6 * microseconds, 1.01e-6 * microseconds};
    return result;
}

/// A square of `size` cells a side.
inline Point invented_point(std::int64_t size, const std::vector<std::pair<std::string, double>> &times) {
    Point point;
    point.backend = "cuda";
    point.device = "a device";
    point.precision = "float64";
    point.shape = {size, size};
    point.cells = size * size;
    point.iterations = 100;
    point.check_every = 10;
    point.rounds = 3;
    point.complete = true;
    point.bytes_per_iteration = 80.0 * static_cast<double>(point.cells);
    for (const auto &[model, microseconds] : times) {
        point.results.push_back(invented_member(model, microseconds));
    }
    return point;
}

}  // namespace perdure::compare
