// case file -> text -> YAML tree -> overrides -> sections -> Config, with every finding at once.
#include "solver/case_file/case_text.hpp"
#include "solver/case_file/config.hpp"
#include "solver/case_file/findings.hpp"
#include "solver/case_file/overrides.hpp"
#include "solver/case_file/sections.hpp"
#include "solver/case_file/yaml_reader.hpp"
#include "solver/case_file/yaml_tree.hpp"

namespace perdure {
namespace {

void read_sections(const YamlNode &tree, const TextPosition &start, Findings &findings, Config &config) {
    const std::filesystem::path folder = config.path.parent_path();
    YamlMap root(YamlValue(tree, "", start, findings));
    config.title = config.path.stem().string();
    if (const auto title = root.take("title")) {
        config.title = title->text("a title").value_or(config.title);
    }
    const auto type = read_problem(root, folder, config);
    const auto dimensions = read_grid(root, config.grid);
    read_boundary(root, folder, type, dimensions, config.sides);
    if (config.velocity) {
        config.solver.method = SolverMethod::bicgstab;
    }
    read_solver(root, type, config.solver);
    check_velocity(config, dimensions, findings);
    check_colours(config, findings);
    read_time(root, type, config.time);
    read_execution(root, config.execution);
    read_output(root, config.output);
    root.finish();
}

}  // namespace

Config load_config(const std::filesystem::path &path, const std::vector<std::string> &overrides) {
    const CaseText file = read_case_text(path);
    Config config;
    config.path = path;
    config.text = note_overrides(file.text, overrides);
    Findings findings(path.string(), file.lines);
    const YamlPlace place = [&](std::size_t line, std::size_t byte) { return findings.position(line, byte); };
    auto tree = parse_yaml(file.text, "", place, findings);
    if ((!tree || tree->kind == YamlNode::Kind::null) && findings.empty()) {
        findings.error(place(0, 0), "the case file is empty; `perdure new` writes a starting case");
    }
    if (tree && tree->kind != YamlNode::Kind::null) {
        apply_overrides(*tree, overrides, findings);
        read_sections(*tree, place(0, 0), findings, config);
    }
    findings.throw_if_any();
    return config;
}

}  // namespace perdure
