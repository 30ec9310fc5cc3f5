// What a write that fails or is killed half-way leaves behind.
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigaction() is POSIX
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "tests/solver/hdf5/sample_run.hpp"
#include "tests/solver/hdf5/temporary_folder.hpp"

namespace perdure::tests::full_disk_test {
namespace {

constexpr int skipped = 77;

// Runs `action` in a process of its own that ends as a program does, so that HDF5's clean-up at exit runs
// too.
int in_own_process(const std::function<int()> &action) {
    const pid_t process = fork();
    if (process == 0) {
        exit(action());  // NOLINT(concurrency-mt-unsafe): this process has one thread
    }
    int status = 0;
    waitpid(process, &status, 0);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

void limit_file_size(rlim_t bytes) {
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
}

SampleRun large_run(const std::filesystem::path &folder) {
    auto run = sample_run<double>(folder, 2);
    run.config.output.compression = Compression::none;
    run.grid.cells = {1000, 500, 1};
    run.solution.fields.front().values = std::vector<double>(500'000, 1.0);
    return run;
}

// 0 when writing fails as it should, with the words `reason` and the space that is missing.
int expect_failure(const SampleRun &run, const std::string &reason) {
    const auto [code, message] = failure_of<Failure>([&] { write_result(run); });
    const bool as_expected = code == static_cast<int>(ExitCode::input_output) &&
                             message.find(reason) != std::string::npos &&
                             message.find("plate_000120.vtkhdf'") != std::string::npos &&
                             message.find("it needs up to 4.1 MB") != std::string::npos;
    if (!as_expected) {
        std::fprintf(stderr, "%d %s\n", code, message.c_str());
    }
    return as_expected ? 0 : 1;
}

void expect_only_the_old_file(const std::filesystem::path &folder) {
    EXPECT_EQ(bytes_of(folder / "plate.vtkhdf"), "old");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
}

TEST(FullDisk, a_file_that_may_not_grow_leaves_the_old_one) {
    const TemporaryFolder folder;
    write_bytes(folder / "plate.vtkhdf", "old");
    for (const Compression compression : {Compression::none, Compression::fast}) {
        EXPECT_EQ(in_own_process([&] {
                      signal(SIGXFSZ, SIG_IGN);
                      limit_file_size(compression == Compression::none ? 1'000'000 : 3000);
                      auto run = large_run(folder.path());
                      run.config.output.compression = compression;
                      return expect_failure(run, "File too large") +
                             expect_failure(
                                 run,
                                 compression == Compression::none
                                     ? "Files of this process may have 1 MB: raise this limit (ulimit -f), or"
                                     : "Files of this process may have 0.003 MB: raise this limit");
                  }),
                  0);
        expect_only_the_old_file(folder.path());
    }
}

TEST(FullDisk, a_full_file_system_leaves_the_old_file) {
    const TemporaryFolder folder;
    const int result = in_own_process([&] {
        if (unshare(CLONE_NEWNS | (geteuid() == 0 ? 0 : CLONE_NEWUSER)) != 0 ||
            mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
            mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=1m") != 0) {
            return skipped;
        }
        write_bytes(folder / "plate.vtkhdf", "old");
        const int status = expect_failure(large_run(folder.path()), "No space left on device");
        const bool alone = std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1;
        return status == 0 && alone && bytes_of(folder / "plate.vtkhdf") == "old" ? 0 : 1;
    });
    if (result == skipped) {
        GTEST_SKIP() << "mounting a small file system is not allowed here";
    }
    EXPECT_EQ(result, 0);
}

TEST(FullDisk, killed_while_writing_leaves_the_old_file) {
    const TemporaryFolder folder;
    write_bytes(folder / "plate.vtkhdf", "old");
    EXPECT_EQ(in_own_process([&] {
                  limit_file_size(1'000'000);  // the signal of this limit kills
                  const auto run = large_run(folder.path());
                  write_result(run);
                  return 0;
              }),
              -SIGXFSZ);
    EXPECT_EQ(bytes_of(folder / "plate.vtkhdf"), "old");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 2)
        << "the old result and plate.partial/";
}

TEST(FullDisk, a_folder_in_the_place_of_the_file) {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "plate.vtkhdf");
    const auto run = sample_run<double>(folder.path(), 2);
    const auto [code, message] = failure_of<Failure>([&] { write_result(run); });
    EXPECT_EQ(code, static_cast<int>(ExitCode::input_output));
    EXPECT_NE(message.find("is a folder, but the run needs this name for an output file"), std::string::npos)
        << message;
    EXPECT_TRUE(std::filesystem::exists(folder / "plate.partial/plate_000120.vtkhdf"))
        << "the answer is not lost";
}

}  // namespace
}  // namespace perdure::tests::full_disk_test
