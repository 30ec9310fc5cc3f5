// Random problems agree with the reference, which shares no arithmetic with the kernels: every cell of the field, under every
// execution model that the device has for the case, within the bound of `perdure verify`.
//
// PERDURE_RANDOM_PROBLEMS: how many of each kind, 24 by default. PERDURE_RANDOM_SEED: the seed of the first; each has the next.
// PERDURE_RANDOM_CELLS: about how many cells at most, 1500 by default.
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>

#include "solver/hdf5/hdf5.hpp"
#include "solver/reference/compare_fields.hpp"
#include "solver/reference/percolation.hpp"
#include "solver/reference/reference.hpp"
#include "solver/resident/plan_resident.hpp"
#include "solver/run/execution_models.hpp"
#include "solver/run/run_effective.hpp"
#include "tests/kernels/random_cases.hpp"
#include "tests/kernels/run_problem.hpp"
#include "tests/solver/hdf5/foreign_files.hpp"

namespace perdure::tests {
namespace {

std::int64_t from_environment(const char *variable, std::int64_t otherwise) {
    const char *const text = std::getenv(variable);
    return text != nullptr ? std::stoll(text) : otherwise;
}

class RandomProblems : public OnEachBackEnd {
  protected:
    void SetUp() override {
        OnEachBackEnd::SetUp();
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    /// Runs all of a kind.
    void agree(RandomKind kind) {
        const std::int64_t count = from_environment("PERDURE_RANDOM_PROBLEMS", 24);
        const auto first = static_cast<std::uint64_t>(from_environment("PERDURE_RANDOM_SEED", 1));
        const std::int64_t largest = from_environment("PERDURE_RANDOM_CELLS", 1500);
        ASSERT_GT(count, 0) << "PERDURE_RANDOM_PROBLEMS";
        std::int64_t runs = 0;
        for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count); ++seed) {
            const RandomCase drawn = draw_case(kind, seed, largest);
            try {
                runs += agree_once(drawn, seed);
            } catch (const Failure &failure) {
                ADD_FAILURE() << failure.what() << " in this case, of seed " << seed << ":\n"
                              << text_of(drawn);
            }
        }
        RecordProperty("runs", static_cast<int>(runs));
        EXPECT_GE(runs, count);
    }

  private:
    /// One case under every model of every device. Returns the number of runs.
    std::int64_t agree_once(const RandomCase &drawn, std::uint64_t seed) {
        std::ofstream(folder_ / "case.yaml") << drawn.yaml;
        if (!drawn.labels.empty()) {
            const hdf5::Handle file = create_file(folder_ / random_image_file);
            add_dataset(file, "image", H5T_STD_U8LE, {drawn.shape.begin(), drawn.shape.end()}, drawn.labels);
        }
        Case test_case;
        test_case.config = load_config(folder_ / "case.yaml", {"execution.precision=" + drawn.precision});
        test_case.problem = make_problem(test_case.config);
        std::vector<Expected> expected;
        std::int64_t runs = 0;
        for (const std::unique_ptr<Device> &device : devices()) {
            for (const ExecutionModel model : models(test_case.config, *device)) {
                test_case.config.execution.model = model;
                SCOPED_TRACE(case_file(drawn, seed, *device, model));
                if (test_case.config.effective) {
                    agree_along_all(test_case, *device, expected);
                } else {
                    agree_field(test_case, *device, expected);
                }
                ++runs;
            }
        }
        return runs;
    }

    /// The reference's answers, found for the first device and kept for the others: one, or one for each axis.
    struct Expected {
        std::vector<double> u;
        reference::Percolation percolation;
    };

    /// The models that the device has, and resident where that has a kernel for the case.
    static std::vector<ExecutionModel> models(const Config &config, const Device &device) {
        std::vector<ExecutionModel> all;
        for (const ExecutionModel model : all_models) {
            const bool refused =
                model == ExecutionModel::resident &&
                (config.effective ||
                 !plan_resident(config, resident_device(device.description())).refused.empty());
            if (!refused && model_missing(device, model).empty()) {
                all.push_back(model);
            }
        }
        return all;
    }

    static std::string text_of(const RandomCase &drawn) {
        return drawn.command_for_the_image.empty() ? drawn.yaml
                                                   : fmt::format("# tools/test_python -c \"{}\"\n{}",
                                                                 drawn.command_for_the_image, drawn.yaml);
    }

    /// What a failure prints.
    static std::string case_file(const RandomCase &drawn, std::uint64_t seed, const Device &device,
                                 ExecutionModel model) {
        return fmt::format(
            "{}; PERDURE_RANDOM_SEED={} PERDURE_RANDOM_PROBLEMS=1, or perdure verify:\n{}"
            "execution: {{backend: {}, model: {}, precision: {}}}\n",
            device.description().name, seed, text_of(drawn), name(device.description().backend), name(model),
            drawn.precision);
    }

    /// As `perdure verify` judges.
    static void expect_near(const FieldValues &u, const std::vector<double> &expected, const Config &config,
                            const std::string &stop) {
        const FieldDifference difference = compare(u, expected);
        EXPECT_TRUE(agrees(difference, agreement_bound(config)))
            << stop
            << fmt::format(
                   ": relative difference {:.3e}, at most {:.3e} (cell {}), bound {:.1e}; {} cells are "
                   "excluded in only one",
                   difference.l2_relative, difference.max_relative, difference.worst_cell,
                   agreement_bound(config), difference.disagreeing_exclusions);
    }

    static void agree_field(const Case &test_case, Device &device, std::vector<Expected> &expected) {
        const PreparedCase prepared = prepare_as_read(test_case, device);
        const Solution found = run_case(prepared, Progress::Style::quiet, [](const Solution &) {});
        if (expected.empty()) {
            expected.push_back(
                {test_case.config.time
                     ? reference::step_heat(test_case.problem.grid, test_case.problem.only_field(),
                                            step_sizes(time_segments(prepared)))
                           .values
                     : reference::solve_diffusion(test_case.problem.grid, test_case.problem.only_field())
                           .values,
                 {}});
        }
        expect_near(found.fields.front().values, expected.front().u, test_case.config,
                    describe(found.report.stop));
    }

    static void agree_along_all(const Case &test_case, Device &device, std::vector<Expected> &expected) {
        PreparedCase prepared = prepare_as_read(test_case, device);
        const EffectiveConfig effective = *test_case.config.effective;
        if (expected.empty()) {
            for (const int axis : effective.axes) {
                turn_towards(axis, prepared);
                expected.push_back(
                    {reference::solve_diffusion(prepared.problem.grid, prepared.problem.only_field()).values,
                     reference::flood(prepared.problem.grid, prepared.problem.only_field().image, axis,
                                      effective.sides)});
            }
        }
        const Solution found = run_effective(prepared, Progress::Style::quiet);
        const EffectiveTensor &tensor = *found.report.tensor;
        EXPECT_FALSE(tensor.bounds_violated);
        ASSERT_EQ(tensor.directions.size(), expected.size());
        auto field = found.fields.begin();
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const bool percolates = expected[i].percolation.connected_cells > 0;
            ASSERT_EQ(tensor.directions[i].percolates, percolates) << "direction " << i;
            EXPECT_EQ(std::llround(tensor.directions[i].connected_fraction *
                                   static_cast<double>(test_case.problem.grid.count())),
                      expected[i].percolation.connected_cells);
            if (percolates) {
                ASSERT_NE(field, found.fields.end());
                expect_near((field++)->values, expected[i].u, test_case.config,
                            describe(tensor.directions[i].stop));
            } else {
                EXPECT_EQ(tensor.directions[i].coefficient, 0.0);
            }
        }
    }

    std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() / fmt::format("perdure_random_problems_{}", getpid());
};

TEST_P(RandomProblems, SteadyFieldsAgreeWithTheReference) {
    agree(RandomKind::diffusion);
}

TEST_P(RandomProblems, ConvectionAgreesWithTheReference) {
    agree(RandomKind::convection);
}

TEST_P(RandomProblems, HeatAgreesWithTheReference) {
    agree(RandomKind::heat);
}

TEST_P(RandomProblems, EffectivePropertiesAgreeWithTheReference) {
    agree(RandomKind::effective);
}

PERDURE_ON_EACH_BACK_END(RandomProblems);

}  // namespace
}  // namespace perdure::tests
