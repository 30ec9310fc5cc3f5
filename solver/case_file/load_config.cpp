// case file -> text -> YAML tree -> overrides -> members of a sweep -> sections -> Config, with every finding at once.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "solver/case_file/case_file.hpp"
#include "solver/case_file/case_text.hpp"
#include "solver/case_file/coefficient_units.hpp"
#include "solver/case_file/config.hpp"
#include "solver/case_file/factors_of_time.hpp"
#include "solver/case_file/findings.hpp"
#include "solver/case_file/heat_as_system.hpp"
#include "solver/case_file/overrides.hpp"
#include "solver/case_file/renamed_keys.hpp"
#include "solver/case_file/sections.hpp"
#include "solver/case_file/sweep.hpp"
#include "solver/case_file/system_section.hpp"
#include "solver/case_file/time_tables.hpp"
#include "solver/case_file/units_section.hpp"
#include "solver/case_file/yaml_reader.hpp"
#include "solver/case_file/yaml_text.hpp"
#include "solver/case_file/yaml_tree.hpp"
#include "solver/formats.hpp"
#include "solver/methods/method_options.hpp"
#include "solver/output/output_names.hpp"
#include "solver/version.hpp"

namespace perdure {
namespace {

/// Checks `format`, and takes it out: two cases that differ in it are the same. A file of a later format may hold anything, so
/// nothing else is said about it.
void take_format(YamlNode &tree, const TextPosition &start, Findings &findings) {
    if (tree.kind != YamlNode::Kind::map) {
        return;
    }
    const auto value = YamlMap(YamlValue(tree, "", start, findings)).take("format");
    const auto format = value ? value->whole_number(1, std::numeric_limits<int>::max()) : std::nullopt;
    if (format > case_format) {
        value->error(
            fmt::format("this case file has format {}, but perdure {} reads formats up to {} only; use a "
                        "later version of perdure that reads format {}",
                        *format, version(), case_format, *format));
        findings.throw_if_any();
    }
    std::erase_if(tree.entries, [](const YamlEntry &entry) { return entry.key == "format"; });
}

/// Whether a case asks for rows of a series.
bool is_watched(const YamlNode &tree) {
    const YamlNode *const time = tree.find("time");
    return tree.find("watch") != nullptr || (time != nullptr && time->find("stop_when") != nullptr);
}

/// Whether the steps of an equation are solves, whose kernels take factors of time and also watch it; explicit steps are watched as those of
/// a system.
bool steps_are_solves(const YamlNode &tree, const Equation &equation) {
    const YamlNode *const time = tree.find("time");
    const YamlNode *const method = time != nullptr ? time->find("method") : nullptr;
    return method != nullptr && std::ranges::any_of(equation.integrators, [&](TimeIntegrator integrator) {
               return is_implicit(integrator) && method->text == name(integrator);
           });
}

/// What is watched, and what heat with formulas of u or t does, is said in the formulas of a system.
void settle_formulas(const YamlNode &tree, std::optional<int> dimensions, const Equation *&equation,
                     Config &config, Findings &findings) {
    if (equation == nullptr || !equation->may_be_system) {
        return;
    }
    const bool solves = steps_are_solves(tree, *equation);
    if (solves) {
        make_factors_of_time(config);
    }
    const bool needed = needs_formulas(config);
    if (!needed && is_watched(tree) && solves) {
        watch_heat(config, findings);
    } else if (needed || is_watched(tree)) {
        make_system_of_heat(dimensions, config, findings);
        equation = &equation_of(config.type);
    }
}

void read_sections(const YamlNode &tree, const TextPosition &start, Findings &findings, Config &config) {
    const std::filesystem::path folder = config.path.parent_path();
    YamlMap root(YamlValue(tree, "", start, findings));
    config.title = config.path.stem().string();
    if (const auto title = root.take("title")) {
        config.title = title->text("a title").value_or(config.title);
    }
    const Equation *equation = read_problem(root, folder, config);
    const auto dimensions = read_grid(root, config);
    if (equation != nullptr) {
        config.solver.preconditioner = equation->preconditioner;
    }
    if (config.effective) {
        read_periodic_cell(root, config);
    } else if (config.system) {
        read_system_boundary(root, dimensions, config);
    } else {
        read_boundary(root, folder, equation, dimensions, config.sides);
    }
    settle_directions(config, dimensions, findings);
    settle_formulas(tree, dimensions, equation, config, findings);
    if (config.velocity) {
        config.solver.method = method_for_velocity();
    }
    read_time(root, equation, config.time);
    if (config.time) {
        check_tables(config.tables, *config.time, findings);
    }
    parse_system(config, findings);
    read_solver(root, equation, config.time, config.solver);
    check_velocity(config, dimensions, findings);
    check_colours(config, findings);
    check_tensors(config, findings);
    read_watch(root, dimensions, config);
    parse_watch(config, findings);
    read_execution(root, config.execution);
    check_precision(config, findings);
    read_output(root, equation, config);
    (void)root.take("format");  // taken before: a key to know of all the same
    (void)root.take("sweep");   // so are these
    (void)root.take("units");
    root.finish();
}

/// Whether something is said of a side: by `all`, or in a system of each field.
bool has_side(const Config &config, const YamlNode *boundary, int side) {
    if (boundary != nullptr && boundary->find("all") != nullptr) {
        return true;
    }
    return config.system && std::all_of(config.system->fields.begin(), config.system->fields.end(),
                                        [side](const SystemField &field) { return field.own_sides[side]; });
}

/// What the case leaves out and its results depend on.
std::vector<std::string> find_assumptions(const YamlNode &tree, const Config &config) {
    std::vector<std::string> assumed;
    const YamlNode *const boundary = tree.find("boundary");
    std::vector<std::string> sides;
    for (int i = 0; equation_of(config.type).only_periodic == nullptr && i < 2 * config.grid.axes(); ++i) {
        if (has_side(config, boundary, i)) {
            continue;
        }
        if (boundary == nullptr || boundary->find(side_names[i]) == nullptr) {
            sides.emplace_back(side_names[i]);
        }
    }
    if (!sides.empty()) {
        assumed.push_back(
            fmt::format("side{} {}: flux 0", sides.size() == 1 ? "" : "s", fmt::join(sides, ", ")));
    }
    const YamlNode *const grid = tree.find("grid");
    const auto is_left_out = [&](const char *key) { return grid == nullptr || grid->find(key) == nullptr; };
    if (is_left_out("shape")) {
        const auto &cells = config.grid.cells;
        std::vector<std::int64_t> shape(cells.begin(), cells.begin() + config.grid.axes());
        std::ranges::reverse(shape);
        assumed.push_back(fmt::format("grid.shape [{}] of the dataset",
                                      fmt::join(config.a.part ? config.a.part->whole : shape, ", ")));
    }
    if (is_left_out("spacing") && is_left_out("length")) {
        assumed.emplace_back("grid.spacing 1");
    }
    return assumed;
}

/// A member's results have names of their own: that of the case and what the member sets, unless it sets output.name.
void take_place(const SweepMember &member, std::size_t index, std::size_t count, Config &config) {
    SweepPlace place;
    place.number = index + 1;
    place.count = count;
    place.name = output_name(config);
    bool named = false;
    for (const SweepSetting &setting : member) {
        place.settings.emplace_back(setting.key, flow_text(setting.value));
        config.text += fmt::format("# sweep {}={}\n", setting.key, place.settings.back().second);
        named = named || setting.key == "output.name" || setting.key == "output";
    }
    if (!named) {
        config.output.name = member_name(place.name, place.settings);
    }
    config.sweep = std::move(place);
}

}  // namespace

std::string case_text(const Config &config) {
    return (config.file_text ? *config.file_text : std::string()) + config.text;
}

CaseFile::CaseFile(const std::filesystem::path &path, const std::vector<std::string> &overrides,
                   const std::vector<RenamedKey> &renamed)
    : CaseFile(read_case_text(path), is_standard_input(path) ? standard_input_name : path, overrides,
               renamed) {}

CaseFile::CaseFile(CaseText file, std::filesystem::path path, const std::vector<std::string> &overrides,
                   const std::vector<RenamedKey> &renamed)
    : path_(std::move(path)), renamed_(renamed), findings_(path_.string(), std::move(file.lines)) {
    const YamlPlace place = [&](std::size_t line, std::size_t byte) {
        return findings_.position(line, byte);
    };
    start_ = place(0, 0);
    auto tree = parse_yaml(file.text, "", place, findings_);
    if ((!tree || tree->kind == YamlNode::Kind::null) && findings_.empty()) {
        findings_.error(start_, "the case file is empty; `perdure new case.yaml` writes a starting case");
    }
    if (!tree || tree->kind == YamlNode::Kind::null) {
        findings_.throw_if_any();
    }
    tree_ = std::move(*tree);
    take_format(tree_, start_, findings_);
    rename_keys(tree_, renamed_, findings_);
    apply_overrides(tree_, rename_keys(overrides, renamed_, findings_), findings_);
    convert_units_of_sweep(tree_, findings_);
    sweep_ = take_sweep(tree_, path_.parent_path(), findings_);
    check_set_keys(sweep_, overrides, findings_);
    text_ = std::make_shared<const std::string>(note_overrides(std::move(file.text), overrides));
}

Config CaseFile::config(std::size_t index) const {
    Findings findings = findings_;
    SweepMember member = sweep_.member(index);
    rename_keys(member, renamed_, findings);
    Config config;
    config.path = path_;
    config.file_text = text_;
    YamlNode own = tree_;
    apply_member(own, member, findings);
    rename_keys(own, renamed_, findings);  // of maps that --set or the sweep set as a whole
    config.units = read_declared_units(own, start_, findings);
    const UnitsOfValues told = convert_units_of_coefficients(own, config.units, findings);
    read_sections(own, start_, findings, config);
    refuse_unused_parameters(tree_, member, findings);
    findings.throw_if_any();
    config.as_read = flow_text(own);
    config.assumed = find_assumptions(own, config);
    config.assumed.insert(config.assumed.end(), told.assumed.begin(), told.assumed.end());
    if (!config.output.units && !told.u.empty()) {
        config.output.units = told.u;
    }
    config.output.flux_units = told.flux;
    if (has_sweep()) {
        take_place(member, index, size(), config);
    }
    config.warnings = findings.warnings();
    return config;
}

namespace {

std::vector<Config> configs_of(const CaseFile &file) {
    std::vector<Config> configs;
    std::vector<Diagnostic> warnings;
    for (std::size_t index = 0; index < file.size(); ++index) {
        configs.push_back(file.config(index));
        add_new(std::exchange(configs.back().warnings, {}), warnings);
    }
    configs.front().warnings = std::move(warnings);  // once for all members
    return configs;
}

}  // namespace

std::vector<Config> load_cases(const std::filesystem::path &path, const std::vector<std::string> &overrides) {
    return load_cases(path, overrides, renamed_keys());
}

std::vector<Config> load_cases(const std::filesystem::path &path, const std::vector<std::string> &overrides,
                               const std::vector<RenamedKey> &renamed) {
    return configs_of(CaseFile(path, overrides, renamed));
}

std::vector<Config> load_cases_of_text(const std::string &text, const std::filesystem::path &path,
                                       const std::vector<std::string> &overrides) {
    return configs_of(CaseFile(case_text_of(text, path.string()), path, overrides));
}

Config load_config(const std::filesystem::path &path, const std::vector<std::string> &overrides) {
    const CaseFile file(path, overrides);
    Config config = file.config(0);
    if (file.has_sweep()) {
        throw Failure(ExitCode::case_or_usage,
                      fmt::format("{}: the case has a sweep of {} members, but this command takes a single "
                                  "case; remove the sweep with --set sweep=",
                                  path.string(), file.size()));
    }
    return config;
}

}  // namespace perdure
