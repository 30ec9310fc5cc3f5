// A model of the time that an iteration or step by phases takes on several devices of one machine.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "solver/run/boxes.hpp"

namespace perdure::compare {

/// What was measured on `devices` devices, and how the grid is shared out.
struct ScalingModel {
    double copy_seconds;     // of the bytes that all phases of an iteration or step move
    double barrier_seconds;  // of one barrier
    int phases;              // of an iteration or step, each with a barrier
    Boxes boxes;
    std::array<std::int64_t, 3> cells;
    int devices = 1;
};

/// Seconds of an iteration or step on `devices` devices: the device with the largest part moves its bytes at its part of the copy's speed,
/// and every phase ends with a barrier. From one to several devices a barrier takes 1.2 us longer, as measured on two H200 that NVLink
/// joins (tools/results/several_gpus.txt).
double predicted_seconds(const ScalingModel &model, int devices);

/// Predictions for 1, 2, 4 and 8 devices, in words.
std::string scaling_text(const ScalingModel &model, const std::string &article, const std::string &unit);

}  // namespace perdure::compare
