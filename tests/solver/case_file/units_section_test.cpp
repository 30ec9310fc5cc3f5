// Lengths and times that a case gives in units.
#include "tests/solver/case_file/case_files.hpp"

namespace perdure::units_section_test {
namespace {

using UnitsSection = CaseFileTest;

/// `units` stands on line 1, `grid` on line 2 and `time` on line 3.
std::string wall(const std::string &units, const std::string &grid, const std::string &time,
                 const std::string &rest = "") {
    return fmt::format("units: {}\ngrid: {}\ntime: {}\n{}problem: {{type: heat, a: 1}}\n", units, grid, time,
                       rest);
}

TEST_F(UnitsSection, LengthsAndTimesBecomeNumbersInTheUnitsOfTheCase) {
    const Config config =
        load(wall("{length: m, time: s}", "{shape: [4, 5], length: [40 cm, 1/2 km], origin: -0.3mm}",
                  "{start: 2 ms, end: 33 min, dt: 0.1 s, snapshots: [1000, 0.5 h, '32 min']}"));
    EXPECT_EQ(config.grid.spacing[0], 100.0);
    EXPECT_EQ(config.grid.spacing[1], 0.1);
    EXPECT_EQ(config.grid.origin[0], -0.0003);
    EXPECT_EQ(config.time->start, 0.002);
    EXPECT_EQ(config.time->end, 1980.0);
    EXPECT_EQ(config.time->step, 0.1);
    EXPECT_EQ(config.time->snapshot_times, (std::vector<double>{1000.0, 1800.0, 1920.0, 1980.0}));
    EXPECT_EQ(config.units.length, LengthUnit::m);
    EXPECT_EQ(config.units.time, TimeUnit::s);
    const Config small = load(wall(
        "{length: um, time: d}", "{shape: [2, 2], spacing: 2 mm}",
        "{end: 36 h, dt: 1 h, snapshots: {every: 12 h}}",
        "watch: {every: 6 h, probes: {a: {x: 1 mm, y: 7}, b: {from: {x: 0, y: 1 nm}, to: {x: 3 mm, y: 1}, "
        "points: 3}}}\n"));
    EXPECT_EQ(small.grid.spacing[1], 2000.0);
    EXPECT_EQ(small.time->end, 1.5);
    EXPECT_EQ(small.time->snapshot_times, (std::vector<double>{0.5, 1.0, 1.5}));
    EXPECT_EQ(load(wall("{}", "{shape: [2, 2]}", "{end: 2}")).units.time, std::nullopt);
}

TEST_F(UnitsSection, WhatDoesNotFitIsSaidAtItsPlace) {
    EXPECT_EQ(errors(wall("{length: furlong, mass: kg}", "{shape: [2, 2]}", "{end: 1}")),
              (Texts{"1:17 units.length: expected nm, um, mm, cm, m or km, found 'furlong'",
                     "1:26 unknown key 'units.mass'; the keys allowed here are length, time"}));
    EXPECT_EQ(
        errors(wall("{time: h}", "{shape: [2, 2], spacing: 0.5 mm}", "{end: 33 mm, dt: 5 fortnights}")),
        (Texts{"2:32 grid.spacing: found '0.5 mm', and the case does not say in which unit its lengths are: "
               "write units: {length: m} at the top, say, and all numbers of the case in such units",
               "3:13 time.end: expected a time, found '33 mm', which is a length",
               "3:24 time.dt: 'fortnights' is not a unit that perdure knows in '5 fortnights'; the units of "
               "time are "
               "ns, us, ms, s, min, h and d"}));
    EXPECT_EQ(
        errors("problem: {type: heat, a: 1}\ngrid: {shape: [2, 2]}\ntime: {end: 33 min}\n"),
        Texts{"3:13 time.end: found '33 min', and the case does not say in which unit its times are: write "
              "units: {time: s} at the top, say, and all numbers of the case in such units"});
    EXPECT_EQ(errors(wall("{time: s}", "{shape: [2, 2]}", "{end: -1 s}")),
              Texts{"3:13 time.end: expected a number > 0, found '-1'"});
}

TEST_F(UnitsSection, AnErrorAboutAUnitIsTheOnlyOne) {
    const std::string of_length = "; the units of length are nm, um, mm, cm, m and km";
    EXPECT_EQ(errors("problem: {type: diffusion, a: 1}\ngrid: {shape: [2, 2], length: \"355 ft\"}\n"),
              Texts{"2:31 grid.length: 'ft' is not a unit that perdure knows in '355 ft'" + of_length});
    EXPECT_EQ(errors(wall("{length: m}", "{shape: [2, 2], length: [3 microns, 5 \u00b5m]}", "{end: 1}")),
              (Texts{"2:32 grid.length[0]: 'microns' is not a unit that perdure knows in '3 microns'" +
                         of_length + "; did you mean 'um'?",
                     "2:43 grid.length[1]: '\u00b5m' is not a unit that perdure knows in '5 \u00b5m'" +
                         of_length + "; did you mean 'um'?"}));
    // what is given in units that nobody can convert, or in none at all, is compared all the same
    EXPECT_EQ(
        errors(wall("{time: hours}", "{shape: [2, 2]}", "{end: 1 h, snapshots: [30 min, 50 min]}")),
        Texts{"1:15 units.time: expected ns, us, ms, s, min, h or d, found 'hours'; did you mean 'h'?"});
    EXPECT_EQ(errors(wall("{time: h}", "{shape: [2, 2]}", "{end: 2 parsec, snapshots: [1, 3]}")),
              (Texts{"3:13 time.end: 'parsec' is not a unit that perdure knows in '2 parsec'; the units of "
                     "time are ns, us, ms, s, min, h and d",
                     "3:38 time.snapshots[1]: expected times up to time.end = 2, found 3"}));
}

}  // namespace
}  // namespace perdure::units_section_test
