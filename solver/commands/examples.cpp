#include "solver/commands/examples.hpp"

#include <filesystem>

#include "solver/case_file/findings.hpp"
#include "solver/case_file/yaml_tree.hpp"

namespace perdure {
namespace {

/// Texts under the key `file`, wherever it is.
void find_files(const YamlNode &node, std::vector<std::string> &files) {
    for (const YamlNode &item : node.items) {
        find_files(item, files);
    }
    for (const YamlEntry &entry : node.entries) {
        if (entry.key == "file" && entry.value.kind == YamlNode::Kind::scalar) {
            files.push_back(entry.value.text);
        }
        find_files(entry.value, files);
    }
}

std::string text_under(const YamlNode *node, const std::string &key) {
    const YamlNode *const found = node != nullptr ? node->find(key) : nullptr;
    return found != nullptr ? found->text : "";
}

}  // namespace

std::vector<Example> examples() {
    std::vector<Example> all;
    for (const ExampleFile &file : example_files()) {
        Example example;
        example.name = std::filesystem::path(file.path).stem().string();
        example.text = file.text;
        Findings findings(std::string(file.path), {});
        const auto tree = parse_yaml(
            std::string(file.text), "", [](std::size_t, std::size_t) { return TextPosition(); }, findings);
        findings.throw_if_any();
        if (tree) {
            example.title = text_under(&*tree, "title");
            example.type = text_under(tree->find("problem"), "type");
            find_files(*tree, example.data_files);
        }
        all.push_back(std::move(example));
    }
    return all;
}

}  // namespace perdure
