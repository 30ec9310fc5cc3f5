#include "solver/output/time_text.hpp"

#include <fmt/format.h>

#include <utility>

namespace perdure {

std::string to_text(const TimeSpent &spent) {
    constexpr double negligible_share = 0.005;
    std::string text = fmt::format("{:.4g} s in total", spent.total());
    const char *link = ":";
    for (const Activity activity : all_values<Activity>()) {
        if (spent.seconds(activity) > negligible_share * spent.total()) {
            text += fmt::format("{} {} {:.3g}", std::exchange(link, ","), name(activity),
                                spent.seconds(activity));
        }
    }
    link = "; in the background";
    for (const Activity activity : all_values<Activity>()) {
        if (spent.background_seconds(activity) > 0.0) {
            text += fmt::format("{} {} {:.3g}", std::exchange(link, ","), name(activity),
                                spent.background_seconds(activity));
        }
    }
    return text;
}

std::vector<std::pair<std::string, double>> named_seconds(const TimeSpent &spent) {
    std::vector<std::pair<std::string, double>> seconds;
    for (const Activity activity : all_values<Activity>()) {
        seconds.emplace_back(fmt::format("{}_seconds", name(activity)), spent.seconds(activity));
    }
    for (const Activity activity : all_values<Activity>()) {
        if (spent.background_seconds(activity) > 0.0) {
            seconds.emplace_back(fmt::format("{}_background_seconds", name(activity)),
                                 spent.background_seconds(activity));
        }
    }
    seconds.emplace_back("total_seconds", spent.total());
    return seconds;
}

}  // namespace perdure
