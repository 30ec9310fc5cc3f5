#include "solver/backends/opencl/pocl_environment.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

namespace perdure::opencl {
namespace {

constexpr long most_threads = 1024;  // more where there are more processors
constexpr long largest_group = 1 << 20;

/// Empty counts as not set, as it does for PoCL.
std::string value_of(const char *variable) {
    const char *const value = std::getenv(variable);
    return value != nullptr ? value : "";
}

/// What is wrong with a variable that must be a whole number; empty where nothing is.
std::string number_fault(const char *variable, long least, long most) {
    const std::string text = value_of(variable);
    long number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || (read.ec == std::errc() && read.ptr == text.data() + text.size() && number >= least &&
                         number <= most)) {
        return {};
    }
    return fmt::format(
        "the environment variable {} is '{}': expected a whole number from {} to {}; correct or unset it",
        variable, text, least, most);
}

}  // namespace

bool may_use_every_processor() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || online < 1 || CPU_COUNT(&allowed) != online) {
        return false;
    }
    return CPU_ISSET(static_cast<std::size_t>(online - 1), &allowed);
}

std::string pocl_environment_fault() {
    const long processors = std::max(1L, sysconf(_SC_NPROCESSORS_ONLN));
    const bool keeps_threads = value_of("POCL_AFFINITY") == "1";
    if (std::string fault = number_fault("POCL_AFFINITY", 0, 1); !fault.empty()) {
        return fault;
    }
    if (keeps_threads && !may_use_every_processor()) {
        return "the environment variable POCL_AFFINITY is 1, but this process may not use every processor, "
               "so PoCL would abort; set the variable to 0";
    }
    const long threads = keeps_threads ? processors : std::max(most_threads, processors);
    if (std::string fault = number_fault("POCL_MAX_PTHREAD_COUNT", 1, threads); !fault.empty()) {
        return fault;
    }
    return number_fault("POCL_MAX_WORK_GROUP_SIZE", 1, largest_group);
}

}  // namespace perdure::opencl
