#include "solver/backends/wait_record.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace perdure {
namespace {

constexpr std::size_t most_named = 8;

std::string name_groups(const std::vector<int> &groups, const char *what, std::size_t count) {
    if (groups.empty()) {
        return {};
    }
    const std::vector<int> named(groups.begin(), groups.begin() + std::min(groups.size(), most_named));
    return fmt::format("; {} of {} groups {}: {}{}", groups.size(), count, what, fmt::join(named, ", "),
                       groups.size() > most_named ? ", ..." : "");
}

}  // namespace

std::string describe_abandoned_wait(DeviceRun &run, int groups) {
    std::vector<int> all(static_cast<std::size_t>(groups));
    std::iota(all.begin(), all.end(), 0);
    return describe_abandoned_wait(run, groups, all);
}

std::string describe_abandoned_wait(DeviceRun &run, int groups, const std::vector<int> &members) {
    grid_sync_t sync{};
    run.read(1, &sync, sizeof sync);
    if (sync.abandoned == 0) {
        return {};
    }
    std::vector<std::uint32_t> left(static_cast<std::size_t>(groups));
    run.read(1, left.data(), left.size() * sizeof(std::uint32_t),
             sizeof sync + sizeof(std::uint32_t) * ROW_LEFT * row_words(static_cast<std::uint32_t>(groups)));
    std::vector<int> silent;
    std::vector<int> late;
    for (const int group : members) {
        const std::uint32_t how = left[static_cast<std::size_t>(group)];
        if (how == 0) {
            silent.push_back(group);
        } else if (how == LEFT_LATE) {
            late.push_back(group);
        }
    }
    const std::string missing = run.missing_messages();
    return fmt::format("group {} gave up waiting before phase {}{}{}{}{}", sync.waiting_group,
                       sync.waiting_phase, missing.empty() ? "" : "; ", missing,
                       name_groups(silent, "left no record (never started or already ended)", members.size()),
                       name_groups(late, "arrived too late", members.size()));
}

}  // namespace perdure
