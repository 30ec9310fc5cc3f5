#include "solver/output/replace_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <random>
#include <system_error>

#include "solver/output/put_in_place.hpp"

namespace perdure {

std::filesystem::path temporary_beside(const std::filesystem::path &path) {
    std::filesystem::path temporary = path;
    return temporary +=
           fmt::format(".{:08x}{:08x}.temporary", std::random_device()(), std::random_device()());
}

void remove_temporary(const std::filesystem::path &path) {
    std::error_code ignored;
    std::filesystem::resize_file(path, 0, ignored);
    std::filesystem::remove(path, ignored);
}

std::filesystem::path create_and_name(
    const std::filesystem::path &beside,
    const std::function<std::filesystem::path(const std::filesystem::path &)> &write) {
    const std::filesystem::path temporary = temporary_beside(beside);
    std::filesystem::path path;
    try {
        path = write(temporary);
        sync_to_disk(temporary);
        std::filesystem::rename(temporary, path);
    } catch (...) {
        remove_temporary(temporary);
        throw;
    }
    sync_folder_of(path);
    return path;
}

void replace_file(const std::filesystem::path &path,
                  const std::function<void(const std::filesystem::path &)> &write) {
    create_and_name(path, [&](const std::filesystem::path &temporary) {
        write(temporary);
        return path;
    });
}

void replace_with_text(const std::filesystem::path &path, const std::string &text) {
    replace_file(path, [&](const std::filesystem::path &temporary) {
        errno = 0;
        std::ofstream file(temporary, std::ios::binary);
        file << text;
        file.close();
        if (!file) {
            throw std::system_error(errno != 0 ? errno : EIO, std::generic_category());
        }
    });
}

}  // namespace perdure
