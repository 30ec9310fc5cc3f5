// The state of a run in time, from which another process can continue: its contents and its file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "kernels/parameters.h"
#include "solver/output/result_writer.hpp"
#include "solver/output/solution.hpp"

namespace perdure {

/// How the run was planned: the one that goes on is planned so too.
struct CheckpointPlan {
    std::string backend, device, model, barrier, kernel;
    std::int64_t groups = 0, group_size = 0, chunks = 0, ring_slots = 0;
    std::string start_line, model_choice;  // as the report has them among its notes
    std::int64_t devices = 1;              // that share the case
};

/// Of a buffer of the kernel, what the next step reads besides the fields: bytes from `offset` on.
struct KeptBytes {
    std::string buffer;
    std::size_t offset = 0;
    LargeVector<char> bytes;
};

/// Behind a step at which the run looked at its fields.
struct Checkpoint {
    std::string version, case_as_read, data_files;  // of the program; of the case
    CheckpointPlan plan;
    std::uint32_t step = 0;
    double time = 0.0;
    std::int64_t launches = 0, graph_launches = 0, barriers = 0;
    double device_seconds = 0.0;
    run_state_t state{};  // which does not stop
    std::vector<double> history;
    std::vector<std::string> names;   // of the fields
    std::vector<FieldValues> fields;  // as the device has them
    std::vector<KeptBytes> kept;
    std::vector<double> series;       // all rows so far of a run that is watched
    std::vector<Snapshot> snapshots;  // that the run has written, by their names in the folder
};

/// The first cell of a field whose value is no number; empty where all are.
std::optional<std::int64_t> first_not_finite(const Checkpoint &checkpoint);

/// One file: a line that says what it is, a line of JSON, values as they lie in memory, and a line with the hash of all before it.
/// Throws std::system_error.
void write_checkpoint_file(const std::filesystem::path &file, const Checkpoint &checkpoint);

/// Throws Failure(bad_input) where the file is damaged, of a later format, or was written on a machine that lays out memory in
/// another way; Failure(input_output) where it cannot be read.
Checkpoint read_checkpoint_file(const std::filesystem::path &file);

/// Those in `name.partial/`, the newest first.
std::vector<std::filesystem::path> find_checkpoints(const Config &config);

}  // namespace perdure
