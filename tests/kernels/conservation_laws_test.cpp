// conserve(): convergence to exact solutions of Riemann problems and of a smooth one, sums that stay, cells in which nothing moves.
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

#include "tests/kernels/run_problem.hpp"
#include "tests/solver/case_file/case_files.hpp"

namespace perdure::tests::conservation_laws_test {
namespace {

using Exact = std::function<double(double x)>;

class ConservationLaws : public CaseFileTest {
  protected:
    /// The first field in each snapshot.
    [[nodiscard]] std::vector<std::vector<double>> snapshots(const std::string &text) const {
        Case read{load(text), {}};
        read.problem = make_problem(read.config);
        std::vector<std::vector<double>> all;
        const auto keep = [&](const Solution &one) {
            std::vector<double> &values = all.emplace_back();
            for (std::int64_t i = 0; i < read.problem.grid.count(); ++i) {
                values.push_back(value_at(one.fields.at(0).values, i));
            }
        };
        const Solution last = run_case(prepare_as_read(read, host_device()), Progress::Style::quiet, keep);
        EXPECT_EQ(last.report.stop, StopReason::complete);
        keep(last);
        return all;
    }
    [[nodiscard]] std::vector<double> last_values(const std::string &text) const {
        return snapshots(text).back();
    }

    /// The mean difference from the exact values in the first row of `cells` cells of [0, length].
    [[nodiscard]] double error(const std::string &text, int cells, double length, const Exact &exact) const {
        const std::vector<double> values = last_values(text);
        double sum = 0.0;
        for (int i = 0; i < cells; ++i) {
            sum += std::abs(values[i] - exact((i + 0.5) * length / cells));
        }
        return sum / cells;
    }
};

/// Where an increasing or decreasing function is 0.
double root(const std::function<double(double)> &function, double low, double high) {
    for (int i = 0; i < 100; ++i) {
        const double middle = 0.5 * (low + high);
        (function(low) * function(middle) > 0.0 ? low : high) = middle;
    }
    return low;
}

/// Density of Sod's gas at t = 0.2: Toro, Riemann Solvers and Numerical Methods for Fluid Dynamics, 3rd ed., chapter 4.
double sod(double x) {
    constexpr double g = 1.4, t = 0.2, left_density = 1.0, right_density = 0.125, right_pressure = 0.1;
    const double left_sound = std::sqrt(g), right_sound = std::sqrt(g * right_pressure / right_density);
    const double power = (g - 1.0) / (2.0 * g), ratio = (g - 1.0) / (g + 1.0);
    const auto behind_rarefaction = [&](double p) {
        return 2.0 * left_sound / (g - 1.0) * (1.0 - std::pow(p, power));
    };
    const double p = root(
        [&](double pressure) {
            return behind_rarefaction(pressure) -
                   (pressure - right_pressure) *
                       std::sqrt(2.0 / ((g + 1.0) * right_density) / (pressure + ratio * right_pressure));
        },
        right_pressure, 1.0);
    const double u = behind_rarefaction(p), jump = p / right_pressure, speed = (x - 0.5) / t;
    const double shock = right_sound * std::sqrt((g + 1.0) / (2.0 * g) * jump + power);
    if (speed < -left_sound) {
        return left_density;
    }
    if (speed < u - left_sound * std::pow(p, power)) {
        return std::pow(2.0 / (g + 1.0) - ratio / left_sound * speed, 2.0 / (g - 1.0));
    }
    if (speed < u) {
        return std::pow(p, 1.0 / g);
    }
    return speed < shock ? right_density * (jump + ratio) / (ratio * jump + 1.0) : right_density;
}

/// Depth at t = 0.8 behind a dam at x = 5: Stoker, Water Waves, section 10.8.
double dam(double x) {
    constexpr double g = 9.81, t = 0.8, left = 1.0, right = 0.2;
    const auto behind_rarefaction = [](double h) { return 2.0 * (std::sqrt(g * left) - std::sqrt(g * h)); };
    const double h = root(
        [&](double depth) {
            return behind_rarefaction(depth) -
                   (depth - right) * std::sqrt(g * (depth + right) / (2.0 * depth * right));
        },
        right, left);
    const double u = behind_rarefaction(h), speed = (x - 5.0) / t;
    if (speed < u - std::sqrt(g * h)) {
        return std::min(left, std::pow(2.0 * std::sqrt(g * left) - speed, 2) / (9.0 * g));
    }
    return speed < h * u / (h - right) ? h : right;
}

struct Scheme {
    const char *speeds;    // behind the semicolon
    double coarse, order;  // mean difference with the coarser grid; how it falls when spacings are halved
};

TEST_F(ConservationLaws, AShockTubeConvergesToTheExactSolution) {
    // Contacts of methods of order p converge as h^(p / (p + 1)), shocks as h.
    for (const Scheme &scheme :
         {Scheme{"speed", 0.0268, 0.55}, Scheme{"slowest, fastest", 0.0218, 0.64},
          Scheme{"speed, minmod", 0.0105, 0.89}, Scheme{"slowest, fastest, minmod", 0.0086, 0.89}}) {
        const auto error_of = [&](int cells) {
            return error(fmt::format(R"yaml(
problem:
  type: system
  fields: {{rho: "if(x < 0.5, 1.0, 0.125)", m: 0, E: "if(x < 0.5, 2.5, 0.25)"}}
  let:
    p: 0.4*(E - m^2/(2*rho))
    c: sqrt(1.4*p/rho)
    speed: abs(m)/rho + c
    slowest: (m/rho - c, 0)
    fastest: (m/rho + c, 0)
  equations:
    rho: conserve(m, 0; {0})
    m: conserve(m^2/rho + p, 0; {0})
    E: conserve((E + p)*m/rho, 0; {0})
grid: {{shape: [2, {1}], spacing: {2:.17g}}}
time: {{end: 0.2, dt: {3:.17g}, method: ssprk3}}
)yaml",
                                     scheme.speeds, cells, 1.0 / cells, 0.2 / cells),
                         cells, 1.0, sod);
        };
        const double coarse = error_of(100), fine = error_of(200);
        EXPECT_NEAR(coarse, scheme.coarse, 0.005 * scheme.coarse) << scheme.speeds;
        EXPECT_NEAR(std::log2(coarse / fine), scheme.order, 0.02) << scheme.speeds;
    }
}

TEST_F(ConservationLaws, ADamBreakConvergesToTheExactSolution) {
    for (const Scheme &scheme :
         {Scheme{"speed", 0.0190, 0.71}, Scheme{"slowest, fastest", 0.0159, 0.78},
          Scheme{"speed, minmod", 0.00635, 0.93}, Scheme{"slowest, fastest, minmod", 0.00547, 0.93}}) {
        const auto error_of = [&](int cells) {
            return error(fmt::format(R"yaml(
problem:
  type: system
  fields: {{h: "if(x < 5, 1.0, 0.2)", q: 0}}
  let:
    c: sqrt(9.81*h)
    speed: abs(q)/h + c
    slowest: q/h - c
    fastest: q/h + c
  equations:
    h: conserve(q, 0; {0})
    q: conserve(q^2/h + 9.81*h^2/2, 0; {0})
grid: {{shape: [2, {1}], spacing: {2:.17g}}}
time: {{end: 0.8, dt: {3:.17g}, method: ssprk3}}
)yaml",
                                     scheme.speeds, cells, 10.0 / cells, 1.0 / cells),
                         cells, 10.0, dam);
        };
        const double coarse = error_of(100), fine = error_of(200);
        EXPECT_NEAR(coarse, scheme.coarse, 0.005 * scheme.coarse) << scheme.speeds;
        EXPECT_NEAR(std::log2(coarse / fine), scheme.order, 0.02) << scheme.speeds;
    }
}

/// u_t + (u^2 / 2)_x = 0 before waves break: u is carried along x - u t. A coefficient of the flux that varies in x is that of the face.
TEST_F(ConservationLaws, LimitedSlopesAreOfSecondOrder) {
    const auto exact = [](double x) {
        const auto start = [](double at) { return 1.0 + 0.5 * std::sin(2.0 * std::numbers::pi * at); };
        return root([&](double u) { return u - start(x - 0.15 * u); }, 0.4, 1.6);
    };
    const auto error_of = [&](const char *speeds, int cells) {
        return error(fmt::format(R"yaml(
problem: {{type: system, fields: {{u: 1 + 0.5*sin(2*pi*x)}}, equations: {{u: "conserve(u^2/2, 0; {})"}}}}
grid: {{shape: [2, {}], spacing: {:.17g}}}
boundary: {{all: periodic}}
time: {{end: 0.15, dt: {:.17g}, method: ssprk3}}
)yaml",
                                 speeds, cells, 1.0 / cells, 0.3 / cells),
                     cells, 1.0, exact);
    };
    for (const auto &[speeds, order] :
         {std::pair{"abs(u)", 1.0}, {"abs(u), minmod", 2.0}, {"u, u, minmod", 2.0}}) {
        EXPECT_NEAR(std::log2(error_of(speeds, 64) / error_of(speeds, 128)), order, 0.15) << speeds;
    }
}

TEST_F(ConservationLaws, KeepTheirSums) {
    for (const char *const speeds :
         {"speed", "speed, minmod", "slowest, fastest", "slowest, fastest, minmod"}) {
        const auto sum_after = [&](double end) {
            const std::vector<double> h = last_values(fmt::format(R"yaml(
problem:
  type: system
  fields: {{h: "1 + 0.5*exp(-((x-8)^2+(y-6)^2))", qx: 0.3, qy: 0}}
  let:
    speed: "max(abs(qx), abs(qy))/h + sqrt(h)"
    slowest: (qx/h - sqrt(h), qy/h - sqrt(h))
    fastest: (qx/h + sqrt(h), qy/h + sqrt(h))
  equations:
    h: conserve(qx, qy; {0})
    qx: conserve(qx^2/h + h^2/2, qx*qy/h; {0})
    qy: conserve(qx*qy/h, qy^2/h + h^2/2; {0})
grid: {{shape: [12, 16]}}
boundary: {{all: periodic}}
time: {{end: {1}, dt: 0.1, method: ssprk3}}
)yaml",
                                                                  speeds, end));
            return std::accumulate(h.begin(), h.end(), 0.0);
        };
        const double early = sum_after(0.1), late = sum_after(20.0);
        EXPECT_NEAR(late, early, 1.0e-12 * early) << speeds;
    }
}

/// The mass stays and the energy falls, the integral of (c^2 - 1)^2 / 4 + gamma |grad c|^2 / 2, of which mu is the derivative.
TEST_F(ConservationLaws, AMixtureThatSeparatesKeepsItsMassWhileItsEnergyFalls) {
    double first_mean = 0.0, last_energy = 1.0e9;
    for (const std::vector<double> &values : snapshots(R"yaml(
problem:
  type: system
  fields: {c: 0.3 + 0.1*(random(1) - 0.5)}
  let: {mu: c^3 - c - 0.5*lap(c)}
  equations: {c: lap(mu)}
grid: {shape: [16, 16]}
boundary: {all: periodic}
time: {end: 40, dt: 0.05, method: ssprk3, snapshots: [0.05, 2, 5, 10, 20, 40]}
)yaml")) {
        double mean = 0.0, energy = 0.0;
        for (int i = 0; i < 256; ++i) {
            const auto at = [&](int x, int y) { return values[(x % 16) + 16 * (y % 16)]; };
            const double c = at(i % 16, i / 16);
            const double dx = at(i % 16 + 1, i / 16) - c, dy = at(i % 16, i / 16 + 1) - c;
            mean += c / 256.0;
            energy += std::pow(c * c - 1.0, 2) / 4.0 + 0.25 * (dx * dx + dy * dy);
        }
        first_mean = first_mean == 0.0 ? mean : first_mean;
        EXPECT_NEAR(mean, first_mean, 1.0e-13);
        EXPECT_LT(energy, last_energy);
        last_energy = energy;
    }
    EXPECT_LT(last_energy, 40.0);  // 53.0 of the mixture, less once it has separated
}

TEST_F(ConservationLaws, WhereNothingMovesTheFluxIsTheMean) {
    const std::vector<double> values = last_values(R"yaml(
problem: {type: system, fields: {u: x}, equations: {u: "conserve(-u, 0; 0*u, 0*u)"}}
grid: {shape: [1, 5]}
time: {end: 0.5, dt: 0.5, method: euler}
)yaml");
    EXPECT_EQ(values, (std::vector<double>{0.75, 2.0, 3.0, 4.0, 4.75}));
}

}  // namespace
}  // namespace perdure::tests::conservation_laws_test
