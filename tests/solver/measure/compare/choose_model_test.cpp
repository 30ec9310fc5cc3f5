// execution.model: auto takes a model that the device has, measures once, and fears nothing in its cache.
#include "solver/measure/compare/choose_model.hpp"

#include <unistd.h>

#include <fstream>

#include "solver/measure/compare/compile_time.hpp"
#include "solver/measure/compare/model_cache.hpp"
#include "solver/run/execution_models.hpp"
#include "tests/kernels/sample_problems.hpp"

namespace perdure::compare::choose_model_test {
namespace {

namespace fs = std::filesystem;

/// A folder of the test's own.
class Folder {
  public:
    Folder() {
        std::string name = (fs::temp_directory_path() / "choose_model_XXXXXX").string();
        path_ = mkdtemp(name.data());
    }
    Folder(const Folder &) = delete;
    Folder &operator=(const Folder &) = delete;
    ~Folder() { fs::remove_all(path_); }
    [[nodiscard]] fs::path file() const { return path_ / "cache" / "models.json"; }

  private:
    fs::path path_;
};

PreparedCase prepared_case(const std::vector<std::string> &overrides) {
    std::vector<std::string> all{"execution.model=auto"};
    all.insert(all.end(), overrides.begin(), overrides.end());
    return prepare_case(
        load_config(std::string(PERDURE_SOURCE_DIR) + "/inputs/manufactured_poisson_2d.yaml", all));
}

bool holds(const std::string &text, const std::string &part) {
    return text.find(part) != std::string::npos;
}

TEST(ChooseModel, MeasuresOnceOnEachBackEnd) {
    for (const char *const backend : {"host", "opencl", "cuda"}) {
        const Folder folder;
        const std::string choice = std::string("execution.backend=") + backend;
        std::optional<PreparedCase> first;
        try {
            first = prepared_case({choice});
        } catch (const Failure &) {
            continue;  // not here
        }
        EXPECT_EQ(first->config.execution.model, ExecutionModel::automatic);
        choose_model(*first, folder.file());
        const std::string taken = name(first->config.execution.model);
        EXPECT_EQ(model_missing(*first->selected.device, first->config.execution.model), "");
        EXPECT_EQ(first->plan.model, first->config.execution.model);
        EXPECT_TRUE(holds(first->model_choice, "model: auto chooses " + taken)) << first->model_choice;
        EXPECT_TRUE(holds(first->model_choice, "(measured in ")) << first->model_choice;
        EXPECT_TRUE(first->problem.warnings.empty());
        PreparedCase second = prepared_case({choice});
        choose_model(second, folder.file());
        EXPECT_EQ(second.config.execution.model, first->config.execution.model);
        EXPECT_TRUE(holds(second.model_choice, "kept in " + folder.file().string())) << second.model_choice;
        const Solution solution = run_case(second, Progress::Style::quiet, [](const Solution &) {});
        EXPECT_EQ(solution.report.model, taken);
        EXPECT_EQ(solution.report.notes.at(0), second.model_choice);
    }
}

TEST(ChooseModel, ACaseThatNamesItsModelIsLeftAlone) {
    PreparedCase prepared = prepared_case({"execution.backend=host", "execution.model=launches"});
    choose_model(prepared, "/nowhere");
    EXPECT_EQ(prepared.config.execution.model, ExecutionModel::launches);
    EXPECT_EQ(prepared.model_choice, "");
}

TEST(ChooseModel, NothingRunsBeforeIt) {
    EXPECT_THROW(
        run_case(prepared_case({"execution.backend=host"}), Progress::Style::quiet, [](const Solution &) {}),
        Failure);
}

TEST(ChooseModel, WithoutAFirstIterationThereIsNothingToMeasure) {
    const Folder folder;
    PreparedCase prepared = prepared_case({"execution.backend=host", "solver.atol=1e300"});
    choose_model(prepared, folder.file());
    EXPECT_NE(prepared.config.execution.model, ExecutionModel::automatic) << "tolerances do not matter to it";
}

/// What a step evaluates is part of what times are kept for.
TEST(ChooseModel, AnotherSourceIsMeasuredAnew) {
    const Folder folder;
    PreparedCase first = prepared_case({"execution.backend=host", "problem.f=1.0"});
    choose_model(first, folder.file());
    PreparedCase other = prepared_case({"execution.backend=host", "problem.f=x + y"});
    choose_model(other, folder.file());
    EXPECT_TRUE(holds(other.model_choice, "(measured in ")) << other.model_choice;
    PreparedCase again = prepared_case({"execution.backend=host", "problem.f=1.0"});
    choose_model(again, folder.file());
    EXPECT_TRUE(holds(again.model_choice, "kept in ")) << again.model_choice;
}

TEST(ChooseModel, WhatCannotBeReadOrKeptIsAWarning) {
    const Folder folder;
    fs::create_directories(folder.file().parent_path());
    for (const char *const text :
         {"", "no json", "{}", "[1, 2]", "{\"contents\": \"times of execution models\"}",
          "{\"contents\": \"times of execution models\", \"format\": 1, \"entries\": [3]}"}) {
        std::ofstream(folder.file()) << text;
        PreparedCase prepared = prepared_case({"execution.backend=host"});
        choose_model(prepared, folder.file());
        ASSERT_EQ(prepared.problem.warnings.size(), 1U) << text;
        EXPECT_TRUE(holds(prepared.problem.warnings[0].message,
                          "is not a cache of execution models and will be replaced"));
        EXPECT_TRUE(holds(prepared.model_choice, "measured in"));
    }
    PreparedCase kept = prepared_case({"execution.backend=host"});
    choose_model(kept, folder.file());
    EXPECT_TRUE(kept.problem.warnings.empty()) << "written anew";
    PreparedCase prepared = prepared_case({"execution.backend=host"});
    choose_model(prepared, folder.file() / "below" / "models.json");
    ASSERT_EQ(prepared.problem.warnings.size(), 1U);
    EXPECT_TRUE(holds(prepared.problem.warnings[0].message, "cannot keep"));
}

/// What waiting for a compiler is weighed against.
TEST(ExpectedIterations, AreThoseOfTheRunWithinAFactorOfThree) {
    for (const char *const method : {"jacobi", "cg"}) {
        for (const char *const shape : {"grid.shape=[40, 40]", "grid.shape=[90, 60]"}) {
            const PreparedCase prepared = prepare_case(
                load_config(std::string(PERDURE_SOURCE_DIR) + "/inputs/manufactured_poisson_2d.yaml",
                            {std::string("solver.method=") + method, "solver.preconditioner=", shape,
                             "solver.max_iterations=100000", "solver.rtol=1e-6", "execution.backend=host",
                             "execution.model=launches"}));
            const Solution solution = run_case(prepared, Progress::Style::quiet, [](const Solution &) {});
            const double expected = expected_iterations(prepared);
            EXPECT_LT(expected, 3.0 * static_cast<double>(solution.report.iterations)) << method << shape;
            EXPECT_GT(expected, static_cast<double>(solution.report.iterations) / 3.0) << method << shape;
        }
    }
}

TEST(ExpectedIterations, OfARunInTimeAreItsSteps) {
    const PreparedCase prepared =
        prepare_case(load_config(std::string(PERDURE_SOURCE_DIR) + "/inputs/heated_plate.yaml",
                                 {"time={dt: 1e-7, end: 12.5e-7}", "execution.backend=host"}));
    EXPECT_EQ(expected_iterations(prepared), 13.0);
}

TEST(CompileTime, IsWorthHalfOfTheRun) {
    EXPECT_TRUE(is_worth_compiling(10.0, 21.0));
    EXPECT_FALSE(is_worth_compiling(10.0, 19.0));
}

TEST(ModelCache, KeepsAndReplaces) {
    const Folder folder;
    const ModelKey key{{{"cells", 3}}, {{"program", "1"}}};
    const ModelTimes times{{{"persistent", 1.0e-6}, {"launches", 3.0e-6}}, "2026-01-01"};
    CacheState state;
    EXPECT_FALSE(find_model_times(folder.file(), key, state));
    keep_model_times(folder.file(), key, times, state);
    keep_model_times(folder.file(), {{{"cells", 4}}, key.place}, times, state);
    const auto found = find_model_times(folder.file(), key, state);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->seconds, times.seconds);
    EXPECT_EQ(found->date, times.date);
    EXPECT_FALSE(state.stale);
    const ModelKey later{key.of_case, {{"program", "2"}}};
    EXPECT_FALSE(find_model_times(folder.file(), later, state));
    EXPECT_TRUE(state.stale);
    keep_model_times(folder.file(), later, times, state);
    EXPECT_FALSE(find_model_times(folder.file(), key, state)) << "one place for each case";
    EXPECT_EQ(state.trouble, "");
}

TEST(ModelCache, StandsWhereTheEnvironmentSays) {
    const auto path_with = [](const char *cache, const char *home) {
        const std::string before = std::getenv("HOME") != nullptr ? std::getenv("HOME") : "";
        const char *const old = std::getenv("XDG_CACHE_HOME");
        const std::string old_cache = old != nullptr ? old : "";
        setenv("XDG_CACHE_HOME", cache, 1);
        setenv("HOME", home, 1);
        const fs::path path = model_cache_path();
        setenv("HOME", before.c_str(), 1);
        old != nullptr ? setenv("XDG_CACHE_HOME", old_cache.c_str(), 1) : unsetenv("XDG_CACHE_HOME");
        return path;
    };
    EXPECT_EQ(path_with("/var/x", "/home/y"), "/var/x/perdure/models.json");
    EXPECT_EQ(path_with("", "/home/y"), "/home/y/.cache/perdure/models.json");
    EXPECT_EQ(path_with("relative", "/home/y"), "/home/y/.cache/perdure/models.json") << "counts as not set";
    EXPECT_EQ(path_with("", ""), "");
}

}  // namespace
}  // namespace perdure::compare::choose_model_test
