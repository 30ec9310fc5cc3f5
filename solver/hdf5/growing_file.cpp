#include "solver/hdf5/growing_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "solver/hdf5/file_bytes.hpp"
#include "solver/hdf5/snapshot_places.hpp"

namespace perdure::hdf5 {
namespace {

constexpr std::uint64_t page_bytes = 4096;

std::uint64_t in_pages(std::uint64_t bytes) {
    return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

[[noreturn]] void fail_of_system() {
    throw std::system_error(errno, std::generic_category());
}

std::span<const unsigned char> bytes_of_values(const FieldResult &field) {
    return std::visit([](const auto &numbers) { return hdf5::bytes_of(numbers); }, field.values);
}

/// With what the last chunk has behind the values.
std::uint64_t bytes_in_chunks(const Grid &grid, const FieldResult &field) {
    const std::size_t bytes_per_value = bytes_per_value_of(field);
    const Extent extent = extent_of(grid, field);
    const Extent chunk = plain_chunk(extent, bytes_per_value);
    const std::uint64_t chunks = (extent.front() + chunk.front() - 1) / chunk.front();
    return chunks * bytes_of_extent(chunk, bytes_per_value);
}

}  // namespace

bool GrowingFile::can_hold(const Config &config, const Grid &grid, const Solution &solution) {
    constexpr std::size_t least_bytes = 1 << 20;
    constexpr std::uint64_t most_bytes_of_chunk = 0xffffffff;
    const std::vector<const FieldResult *> fields = stored_fields(config, solution);
    std::size_t bytes = 0;
    for (const FieldResult *field : fields) {
        bytes += bytes_of_values(*field).size();
    }
    return config.output.compression == Compression::none && bytes >= least_bytes &&
           std::ranges::all_of(fields, [&](const FieldResult *field) {
               const std::size_t size = bytes_per_value_of(*field);
               return bytes_of_extent(plain_chunk(extent_of(grid, *field), size), size) <=
                      most_bytes_of_chunk;
           });
}

GrowingFile::GrowingFile(const Config &config, const Grid &grid, const std::filesystem::path &path)
    : config_(config),
      grid_(grid),
      file_(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)),
      end_(page_bytes) {
    if (!file_.is_open()) {
        fail_of_system();
    }
}

GrowingFile::GrowingFile(const Config &config, const Grid &grid, const std::filesystem::path &path,
                         std::span<const Snapshot> kept)
    : config_(config),
      grid_(grid),
      file_(open(path.c_str(), O_RDWR | O_CLOEXEC)),
      end_(page_bytes),
      is_whole_(true) {
    if (!file_.is_open()) {
        fail_of_system();
    }
    for (FieldPlaces &field : read_places(path, kept)) {
        places_.push_back({std::move(field.field), std::move(field.kept), std::move(field.others), {}});
    }
    std::array<unsigned char, sizeof end_> end{};
    if (pread(file_.number(), end.data(), end.size(), end_of_file_at) != ssize_t{sizeof end_}) {
        throw Error("read where the file ends");
    }
    std::memcpy(&end_, end.data(), sizeof end_);  // little-endian, as memory is
    end_in_superblock_ = end_;
    end_ = in_pages(end_);
}

void GrowingFile::take_out(std::size_t times) {
    for (Places &field : places_) {
        const auto first = field.times.begin() + static_cast<std::ptrdiff_t>(times);
        field.left.insert(field.left.end(), first, field.times.end());
        field.times.erase(first, field.times.end());
    }
}

void GrowingFile::add(const Solution &solution, const std::vector<Snapshot> &snapshots) {
    constexpr std::size_t versions = 3;
    try {
        place_values(solution);
        write_contents(solution, snapshots, versions);
    } catch (...) {
        give_back_rest();
        throw;
    }
}

void GrowingFile::place_values(const Solution &solution) {
    const std::vector<const FieldResult *> fields = stored_fields(config_, solution);
    for (const FieldResult *field : fields) {
        auto places = std::ranges::find(places_, field->name, &Places::field);
        if (places == places_.end()) {
            places = places_.insert(places_.end(), Places{field->name, {}, {}, {}});
        }
        std::uint64_t place = end_;
        if (!places->free.empty()) {
            place = places->free.back();
            places->free.pop_back();
        } else {
            end_ = in_pages(end_ + bytes_in_chunks(grid_, *field));
        }
        places->times.push_back(place);
        write(bytes_of_values(*field), place);
    }
}

void GrowingFile::write_contents(const Solution &last, const std::vector<Snapshot> &snapshots,
                                 std::size_t versions) {
    std::uint64_t place = contents_.begin + contents_.next * contents_.bytes;
    EncodedObjects objects = encode(last, snapshots, place);
    if (objects.bytes.size() > contents_.bytes) {
        const std::size_t growth = versions > 1 ? objects.bytes.size() / 2 : 0;
        contents_ = {end_, in_pages(objects.bytes.size() + growth), versions, 0};
        end_ += versions * contents_.bytes;
        place = contents_.begin;
        objects = encode(last, snapshots, place);
    }
    contents_.next = (contents_.next + 1) % contents_.versions;
    write(objects.bytes, place);
    lengthen();
    sync();
    end_in_superblock_ = end_;
    const std::vector<unsigned char> superblock = encode_superblock(end_, objects.root);
    is_whole_ ? write(std::span(superblock).subspan(end_of_file_at, end_and_root_bytes), end_of_file_at)
              : write(superblock, 0);
    is_whole_ = true;
    sync();
    for (Places &field : places_) {
        field.free.insert(field.free.end(), field.left.begin(), field.left.end());
        field.left.clear();
    }
}

EncodedObjects GrowingFile::encode(const Solution &last, const std::vector<Snapshot> &snapshots,
                                   std::uint64_t begin) const {
    Object contents;
    describe_snapshots(contents, config_, grid_, snapshots, last, [&](const std::string &name) {
        return std::ranges::find(places_, name, &Places::field)->times;
    });
    auto objects = encode_objects(contents, begin);
    if (!objects) {
        throw Error("the report or the case has a text or list that is too long for the file");
    }
    return *std::move(objects);
}

void GrowingFile::finish(const Solution &last, const std::vector<Snapshot> &snapshots) {
    try {
        write_contents(last, snapshots, 1);
    } catch (...) {
        give_back_rest();
        throw;
    }
}

void GrowingFile::give_back_rest() const {
    (void)!ftruncate(file_.number(), static_cast<off_t>(end_in_superblock_));
}

void GrowingFile::write(std::span<const unsigned char> bytes, std::uint64_t place) const {
    while (!bytes.empty()) {
        const ssize_t written = pwrite(file_.number(), bytes.data(), bytes.size(), static_cast<off_t>(place));
        if (written < 0 && errno != EINTR) {
            fail_of_system();
        }
        const auto count = static_cast<std::size_t>(std::max<ssize_t>(written, 0));
        bytes = bytes.subspan(count);
        place += count;
    }
}

/// The file may not end before the superblock says.
void GrowingFile::lengthen() const {
    if (ftruncate(file_.number(), static_cast<off_t>(end_)) != 0) {
        fail_of_system();
    }
}

void GrowingFile::sync() const {
    if (fdatasync(file_.number()) != 0 && errno != EINVAL && errno != ENOTSUP) {
        fail_of_system();
    }
}

}  // namespace perdure::hdf5
