#include "solver/output/checkpoint.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solver/hash.hpp"
#include "solver/output/json_text.hpp"
#include "solver/output/output_names.hpp"
#include "solver/regular_file.hpp"

namespace perdure {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::string_view first_line = "perdure checkpoint 2\n";
constexpr std::string_view hash_word = "hash ";
constexpr std::size_t hash_digits = 32;

/// Counts up where cells of a grid belong to other chunks than before, so that sums have other bits.
constexpr int order_of_sums = 2;

/// What two machines must have in common to exchange memory.
std::string memory_layout() {
    return fmt::format("{} endian, state of {} bytes, sums in order {}",
                       std::endian::native == std::endian::little ? "little" : "big", sizeof(run_state_t),
                       order_of_sums);
}

template <typename Values>
std::string_view bytes_of(const Values &values) {
    return {reinterpret_cast<const char *>(values.data()), values.size() * sizeof(values[0])};
}

std::string_view bytes_of_field(const FieldValues &field) {
    return std::visit([](const auto &values) { return bytes_of(values); }, field);
}

Json header_of(const Checkpoint &of) {
    Json header;
    header["version"] = of.version;
    header["memory"] = memory_layout();
    header["case_as_read"] = of.case_as_read;
    header["data_files"] = of.data_files;
    const CheckpointPlan &plan = of.plan;
    header["plan"] = {{"backend", plan.backend},
                      {"device", plan.device},
                      {"model", plan.model},
                      {"barrier", plan.barrier},
                      {"kernel", plan.kernel},
                      {"groups", plan.groups},
                      {"group_size", plan.group_size},
                      {"chunks", plan.chunks},
                      {"ring_slots", plan.ring_slots},
                      {"start_line", plan.start_line},
                      {"model_choice", plan.model_choice},
                      {"devices", plan.devices}};
    header["step"] = of.step;
    header["time"] = of.time;
    header["launches"] = of.launches;
    header["graph_launches"] = of.graph_launches;
    header["barriers"] = of.barriers;
    header["device_seconds"] = of.device_seconds;
    header["history"] = of.history.size();
    header["fields"] = Json::array();
    for (std::size_t i = 0; i < of.fields.size(); ++i) {
        const bool single = std::holds_alternative<LargeVector<float>>(of.fields[i]);
        header["fields"].push_back({{"name", of.names[i]},
                                    {"precision", single ? "float32" : "float64"},
                                    {"bytes", bytes_of_field(of.fields[i]).size()}});
    }
    header["kept"] = Json::array();
    for (const KeptBytes &kept : of.kept) {
        header["kept"].push_back(
            {{"buffer", kept.buffer}, {"offset", kept.offset}, {"bytes", kept.bytes.size()}});
    }
    header["series"] = of.series.size();
    header["snapshots"] = Json::array();
    for (const Snapshot &snapshot : of.snapshots) {
        header["snapshots"].push_back(
            {{"file", snapshot.file.filename().string()}, {"time", snapshot.time}, {"step", snapshot.step}});
    }
    return header;
}

/// Takes values off the front of a text.
class Reader {
  public:
    Reader(const fs::path &file, std::string_view rest) : file_(file), rest_(rest) {}

    [[noreturn]] void fail(const std::string &reason) const {
        throw Failure(ExitCode::bad_input,
                      fmt::format("the checkpoint '{}' {}; remove it to continue from the checkpoint before "
                                  "it, or start again with --force",
                                  file_.string(), reason));
    }
    std::string_view take(std::size_t bytes) {
        if (bytes > rest_.size()) {
            fail("ends too early");
        }
        const std::string_view taken = rest_.substr(0, bytes);
        rest_.remove_prefix(bytes);
        return taken;
    }
    std::string_view take_line() {
        const std::size_t end = rest_.find('\n');
        return take(end == std::string_view::npos ? rest_.size() + 1 : end + 1);
    }
    template <typename Values>
    void fill(Values &values, std::size_t bytes) {
        values.resize(bytes / sizeof(values[0]));
        std::memcpy(values.data(), take(bytes).data(), values.size() * sizeof(values[0]));
    }

  private:
    const fs::path &file_;
    std::string_view rest_;
};

void read_plan(const Json &from, CheckpointPlan &plan) {
    from.at("backend").get_to(plan.backend);
    from.at("device").get_to(plan.device);
    from.at("model").get_to(plan.model);
    from.at("barrier").get_to(plan.barrier);
    from.at("kernel").get_to(plan.kernel);
    from.at("groups").get_to(plan.groups);
    from.at("group_size").get_to(plan.group_size);
    from.at("chunks").get_to(plan.chunks);
    from.at("ring_slots").get_to(plan.ring_slots);
    from.at("start_line").get_to(plan.start_line);
    from.at("model_choice").get_to(plan.model_choice);
    plan.devices = from.value("devices", plan.devices);
}

void read_header(const Json &header, Reader &reader, Checkpoint &checkpoint) {
    header.at("version").get_to(checkpoint.version);
    if (header.at("memory").get<std::string>() != memory_layout()) {
        reader.fail(
            fmt::format("was written with another memory layout ({}, here {}): by another version of perdure "
                        "({}) or on another kind of machine",
                        header.at("memory").get<std::string>(), memory_layout(), checkpoint.version));
    }
    header.at("case_as_read").get_to(checkpoint.case_as_read);
    header.at("data_files").get_to(checkpoint.data_files);
    read_plan(header.at("plan"), checkpoint.plan);
    header.at("step").get_to(checkpoint.step);
    header.at("time").get_to(checkpoint.time);
    header.at("launches").get_to(checkpoint.launches);
    header.at("graph_launches").get_to(checkpoint.graph_launches);
    header.at("barriers").get_to(checkpoint.barriers);
    header.at("device_seconds").get_to(checkpoint.device_seconds);
    for (const Json &snapshot : header.at("snapshots")) {
        checkpoint.snapshots.push_back({snapshot.at("file").get<std::string>(),
                                        snapshot.at("time").get<double>(),
                                        snapshot.at("step").get<std::int64_t>()});
    }
    std::memcpy(&checkpoint.state, reader.take(sizeof checkpoint.state).data(), sizeof checkpoint.state);
    reader.fill(checkpoint.history, header.at("history").get<std::size_t>() * sizeof(double));
    for (const Json &field : header.at("fields")) {
        checkpoint.names.push_back(field.at("name").get<std::string>());
        const auto bytes = field.at("bytes").get<std::size_t>();
        if (field.at("precision").get<std::string>() == "float32") {
            reader.fill(std::get<LargeVector<float>>(checkpoint.fields.emplace_back(LargeVector<float>())),
                        bytes);
        } else {
            reader.fill(std::get<LargeVector<double>>(checkpoint.fields.emplace_back(LargeVector<double>())),
                        bytes);
        }
    }
    for (const Json &kept : header.at("kept")) {
        checkpoint.kept.push_back(
            {kept.at("buffer").get<std::string>(), kept.at("offset").get<std::size_t>(), {}});
        reader.fill(checkpoint.kept.back().bytes, kept.at("bytes").get<std::size_t>());
    }
    reader.fill(checkpoint.series, header.at("series").get<std::size_t>() * sizeof(double));
}

}  // namespace

std::optional<std::int64_t> first_not_finite(const Checkpoint &checkpoint) {
    for (const FieldValues &field : checkpoint.fields) {
        const std::int64_t cell = std::visit(
            [](const auto &values) -> std::int64_t {
                const auto found = std::find_if_not(values.begin(), values.end(),
                                                    [](auto value) { return std::isfinite(value); });
                return found == values.end() ? -1 : found - values.begin();
            },
            field);
        if (cell >= 0) {
            return cell;
        }
    }
    return std::nullopt;
}

void write_checkpoint_file(const fs::path &file, const Checkpoint &checkpoint) {
    errno = 0;
    std::ofstream out(file, std::ios::binary);
    Hash hash;
    const auto write = [&](std::string_view bytes) {
        out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        hash.add(bytes);
    };
    write(first_line);
    write(json_text(header_of(checkpoint)) + "\n");
    write({reinterpret_cast<const char *>(&checkpoint.state), sizeof checkpoint.state});
    write(bytes_of(checkpoint.history));
    for (const FieldValues &field : checkpoint.fields) {
        write(bytes_of_field(field));
    }
    for (const KeptBytes &kept : checkpoint.kept) {
        write(bytes_of(kept.bytes));
    }
    write(bytes_of(checkpoint.series));
    out << hash_word << hash.text() << '\n';
    out.close();
    if (!out) {
        throw std::system_error(errno != 0 ? errno : EIO, std::generic_category());
    }
}

Checkpoint read_checkpoint_file(const fs::path &file) {
    std::string text;
    try {
        text = read_regular_file(file);
    } catch (const std::system_error &error) {
        throw Failure(ExitCode::input_output, fmt::format("the checkpoint '{}' cannot be read: {}",
                                                          file.string(), error.code().message()));
    } catch (const NotAFile &other) {
        throw Failure(ExitCode::input_output,
                      fmt::format("the checkpoint '{}' is {}", file.string(), other.what()));
    }
    const std::size_t last_line = hash_word.size() + hash_digits + 1;
    const Reader all(file, text);
    if (!text.starts_with(first_line)) {
        all.fail("is not a checkpoint that this version of perdure can read");
    }
    const std::string_view whole =
        std::string_view(text).substr(0, text.size() - std::min(last_line, text.size()));
    if (text.substr(whole.size()) != fmt::format("{}{}\n", hash_word, hash_of(whole))) {
        all.fail("is damaged: its checksum does not match");
    }
    Checkpoint checkpoint;
    Reader reader(file, whole);
    (void)reader.take_line();
    try {
        const std::string_view header = reader.take_line();
        read_header(Json::parse(header.begin(), header.end()), reader, checkpoint);
    } catch (const Json::exception &error) {
        reader.fail(fmt::format("is damaged: {}", error.what()));
    }
    return checkpoint;
}

std::vector<fs::path> find_checkpoints(const Config &config) {
    std::vector<std::pair<std::int64_t, fs::path>> found;
    std::error_code error;
    for (const auto &entry : fs::directory_iterator(partial_folder(config), error)) {
        const std::int64_t step = step_of_checkpoint(config, entry.path().filename().string());
        if (step >= 0) {
            found.emplace_back(step, entry.path());
        }
    }
    std::sort(found.rbegin(), found.rend());
    std::vector<fs::path> files;
    for (auto &[step, file] : found) {
        files.push_back(std::move(file));
    }
    return files;
}

}  // namespace perdure
