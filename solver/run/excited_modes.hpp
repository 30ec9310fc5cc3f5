// The modes that the start of a run excites, and what steps of Crank-Nicolson leave of them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace perdure {

/// What a step of Crank-Nicolson leaves of the oscillations of a mode. Modes that it does not reverse do not oscillate.
inline double left_by_step(double z) {
    return z > 2.0 ? (z - 2.0) / (z + 2.0) : 0.0;
}

inline double steps_until(double time, double step) {
    constexpr double rounding = 1.0e-9;
    return std::max(1.0, std::ceil(time / step - rounding));
}

/// The excited modes, by their rates.
class ExcitedModes {
  public:
    void add(double rate, double amplitude) {
        if (rate > 0.0 && amplitude > 0.0) {
            Mode &mode = modes_[bin_of(rate)];
            mode.rate = std::max(mode.rate, rate);
            mode.amplitude = std::max(mode.amplitude, amplitude);
        }
    }
    void add(const ExcitedModes &other) {
        for (const Mode &mode : other.modes_) {
            add(mode.rate, mode.amplitude);
        }
    }
    /// The largest oscillation after that time.
    [[nodiscard]] double left(double time, double step) const {
        double most = 0.0;
        for (const Mode &mode : modes_) {
            const double steps = steps_until(time, step);
            most = std::max(most, mode.amplitude * std::pow(left_by_step(time / steps * mode.rate), steps));
        }
        return most;
    }
    [[nodiscard]] double fastest() const { return std::ranges::max(modes_, {}, &Mode::rate).rate; }

  private:
    struct Mode {
        double rate = 0.0, amplitude = 0.0;
    };
    static constexpr int bins_of_octave = 4, bins = 1024;

    static std::size_t bin_of(double rate) {
        const double place = std::round(bins_of_octave * std::log2(rate)) + bins / 2.0;
        return static_cast<std::size_t>(std::clamp(place, 0.0, bins - 1.0));
    }

    std::array<Mode, bins> modes_;
};

/// The values that the solution takes, from what is given.
struct ValueRange {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    double of_sources = 0.0;  // that they make until the time in question

    void add(double value) {
        least = std::min(least, value);
        most = std::max(most, value);
    }
    void add(const ValueRange &other) {
        least = std::min(least, other.least);
        most = std::max(most, other.most);
        of_sources = std::max(of_sources, other.of_sources);
    }
    [[nodiscard]] double width() const { return std::max(most - least, of_sources); }
};

struct FieldStart {
    ExcitedModes modes;
    ValueRange range;

    void add(const FieldStart &other) {
        modes.add(other.modes);
        range.add(other.range);
    }
};

}  // namespace perdure
