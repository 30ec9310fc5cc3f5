#include "solver/output/claim_holder.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <ctime>
#include <fstream>
#include <mutex>
#include <sstream>
#include <system_error>

#include "solver/regular_file.hpp"

namespace perdure {
namespace {

namespace fs = std::filesystem;

/// When the process started, in clock ticks after the boot of this host; empty when there is none of that number.
std::string start_of(long process) {
    std::ifstream file(fmt::format("/proc/{}/stat", process));
    std::string text;
    std::getline(file, text);
    const std::size_t name_end = text.rfind(')');  // the program's name may hold anything
    if (name_end == std::string::npos) {
        return {};
    }
    std::istringstream words(text.substr(name_end + 1));
    constexpr int words_before_start = 19;  // proc(5): word 22 of the line
    std::string word;
    for (int i = 0; i <= words_before_start; ++i) {
        words >> word;
    }
    return word;
}

/// But for the time; found once for a process, and again in one that it forked.
ClaimHolder identity_of_process() {
    static std::mutex mutex;
    static ClaimHolder known;
    const std::scoped_lock lock(mutex);
    if (known.process != getpid()) {
        std::array<char, 256> host{};
        gethostname(host.data(), host.size() - 1);
        std::error_code none;
        known = {host.data(), fs::read_symlink("/proc/self/ns/pid", none).string(), getpid(),
                 start_of(getpid()), ""};
    }
    return known;
}

ClaimHolder this_process() {
    ClaimHolder holder = identity_of_process();
    holder.since = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    return holder;
}

}  // namespace

std::string ClaimHolder::text() const {
    return process == 0 ? "an unidentified process"
                        : fmt::format("process {} on host {} (since {})", process, host, since);
}

std::string lines_of(const ClaimHolder &holder) {
    return fmt::format("{}\n{}\n{}\n{}\n{}\n", holder.host, holder.process_namespace, holder.process,
                       holder.started, holder.since);
}

ClaimHolder read_holder(const fs::path &file) {
    constexpr std::size_t longest = 4096;
    std::array<std::string, 5> lines;
    try {
        std::istringstream stream(read_regular_file(file, longest));
        for (std::string &line : lines) {
            std::getline(stream, line);
        }
        if (!stream) {
            return {};
        }
    } catch (const std::exception &) {  // it is gone, or something else has its name
        return {};
    }
    long process = 0;
    std::from_chars(lines[2].data(), lines[2].data() + lines[2].size(), process);
    return {lines[0], lines[1], process, lines[3], lines[4]};
}

bool is_gone(const ClaimHolder &holder) {
    const ClaimHolder here = this_process();
    const bool seen_from_here =
        holder.host == here.host && holder.process_namespace == here.process_namespace && holder.process > 0;
    return seen_from_here && start_of(holder.process) != holder.started;
}

void write_holder(int descriptor, const fs::path &file) {
    if (ftruncate(descriptor, 0) != 0) {
        throw std::system_error(errno, std::generic_category(), file.string());
    }
    const std::string text = lines_of(this_process());
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t count =
            pwrite(descriptor, text.data() + done, text.size() - done, static_cast<off_t>(done));
        if (count <= 0) {
            errno = count == 0 ? ENOSPC : errno;
            throw std::system_error(errno, std::generic_category(), file.string());
        }
        done += static_cast<std::size_t>(count);
    }
}

}  // namespace perdure
