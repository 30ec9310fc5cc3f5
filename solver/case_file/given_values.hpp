// The values that a case file gives for a cell field or a side.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "solver/enum_names.hpp"
#include "solver/failure.hpp"

namespace perdure {

/// A box within a dataset; slowest axis first. Its shape is that of the grid.
struct DatasetPart {
    std::vector<std::int64_t> whole;  // shape of the dataset
    std::vector<std::int64_t> from;   // index of the first cell
};

/// Where the values of a cell field (or of a side) come from.
struct ValueSource {
    enum class Kind { number, expression, dataset, labels };
    Kind kind = Kind::number;
    double number = 0.0;                    // number
    std::string expression;                 // expression in x, y, z
    std::filesystem::path file;             // dataset, labels: resolved against the case file's folder
    std::string dataset;                    // dataset, labels: path inside the HDF5 file
    std::map<std::int64_t, double> labels;  // labels: value per label
    std::map<std::int64_t, std::array<double, 3>> labels_by_axis;  // labels along x, y, z, where that varies
    std::map<std::int64_t, std::array<double, 3>>
        labels_cross;  // xy, xz, yz of the labels whose tensors have any; their diagonals are in labels_by_axis
    std::optional<DatasetPart> part;  // labels: of the dataset; empty: all of it
    std::string time_factor;          // expression in t that scales the values; empty: constant in time
    TextPosition position;            // of the value in the case file

    static ValueSource of_number(double number) {
        ValueSource source;
        source.number = number;
        return source;
    }
};

/// What a case asks of a side; solver/boundary_conditions.
enum class SideKind { flux, value, exchange, periodic };

template <>
inline constexpr std::array enum_names<SideKind>{
    NamedValue{SideKind::flux, "flux"}, NamedValue{SideKind::value, "value"},
    NamedValue{SideKind::exchange, "exchange"}, NamedValue{SideKind::periodic, "periodic"}};

/// What happens with sources in cells that are left out of a problem.
enum class SourcesInSolids { refuse, ignore };

template <>
inline constexpr std::array enum_names<SourcesInSolids>{NamedValue{SourcesInSolids::refuse, "refuse"},
                                                        NamedValue{SourcesInSolids::ignore, "ignore"}};

}  // namespace perdure
