// The section time of a case file: steps and schedules of snapshots.
#include "tests/solver/case_file/case_files.hpp"

namespace perdure::time_section_test {
namespace {

using TimeSection = CaseFileTest;

TEST_F(TimeSection, SaysWhatIsWrongAndWhere) {
    EXPECT_EQ(errors_of_diffusion("time: {end: 1}\n"),
              Texts{"3:1 time: a diffusion problem is steady and has no time; remove the section, or set "
                    "problem.type: heat"});
    const auto time = [&](const std::string &text) {
        return errors("problem: {type: heat, a: 1}\ngrid: {shape: [2, 2]}\ntime: {" + text + "}\n");
    };
    EXPECT_EQ(time("end: 0, dt: Auto"), (Texts{"3:13 time.end: expected a number > 0, found '0'",
                                               "3:20 time.dt: expected auto or a number > 0, found 'Auto'"}));
    EXPECT_EQ(time("end: 1, dt: -1"), Texts{"3:20 time.dt: expected auto or a number > 0, found '-1'"});
    EXPECT_EQ(time("end: 1, snapshots: [0, 0.5, 0.5, 2, x]"),
              (Texts{"3:28 time.snapshots[0]: expected a time > 0, found 0: snapshots begin after the start, "
                     "where the fields are the initial ones that the case gives; leave 0 out",
                     "3:36 time.snapshots[2]: expected times in ascending order, found 0.5 after 0.5",
                     "3:41 time.snapshots[3]: expected times up to time.end = 1, found 2",
                     "3:44 time.snapshots[4]: expected a number, found 'x'"}));
    EXPECT_EQ(
        time("end: 1, snapshots: {every_steps: 0}"),
        Texts{"3:41 time.snapshots.every_steps: expected a whole number from 1 to 2147483647, found '0'"});
    EXPECT_EQ(time("end: 1, rtol: 1e-3"), Texts{"3:16 time.rtol: this key is for the methods rk23 and rk45 "
                                                "only, but the method is euler; remove the key"});
    EXPECT_EQ(time("end: 1, method: bdf2, dt: 0.1, atol: 1"),
              Texts{"3:39 time.atol: this key is for the methods rk23 and rk45 only, but the method is bdf2; "
                    "the tolerance of its linear solves is solver.atol; remove the key"});
    EXPECT_EQ(time("end: 1, snapshots: 3"), (Texts{"3:27 time.snapshots: expected a list of times, {every: "
                                                   "T} in time, or {every_steps: N}, found '3'"}));
    EXPECT_EQ(time("end: 1, snapshots: {every: 0}"),
              Texts{"3:35 time.snapshots.every: expected a time > 0, found '0'"});
    EXPECT_EQ(time("end: 1, snapshots: {every: 1e-7}"),
              Texts{"3:35 time.snapshots.every: 1e-07 up to time.end = 1 gives 1e+07 snapshots, more than "
                    "1e+06; write "
                    "them less often"});
    EXPECT_EQ(time("end: 1, snapshots: {every: 0.5, every_steps: 3}"),
              Texts{"3:53 time.snapshots.every_steps: expected either every or every_steps, and not both"});
    EXPECT_EQ(time("end: 1, snapshots: {}"),
              Texts{"3:27 time.snapshots: expected {every: T}, in time, or {every_steps: N}"});
    EXPECT_EQ(time("end: 1, snapshots: {evry: 0.5}"),
              (Texts{"3:27 time.snapshots: expected {every: T}, in time, or {every_steps: N}",
                     "3:28 unknown key 'time.snapshots.evry'; did you mean 'every'?"}));
}

}  // namespace
}  // namespace perdure::time_section_test
