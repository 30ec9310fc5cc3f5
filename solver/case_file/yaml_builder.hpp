// Builds a YamlNode tree from the events of yaml-cpp's parser.
#pragma once

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "solver/case_file/findings.hpp"
#include "solver/case_file/yaml_tree.hpp"

namespace perdure {

/// Thrown out of the parser when nothing behind this place is to be read.
struct YamlRefused {
    TextPosition position;
    std::string message;
};

class YamlBuilder : public YAML::EventHandler {
  public:
    /// `text`: what the parser reads. `path`: key path of the root.
    YamlBuilder(const std::string &text, std::string path, const YamlPlace &place, Findings &findings);

    /// Place of an unclosed list or map around the current event, if there is one.
    [[nodiscard]] std::optional<TextPosition> open_collection() const;
    [[nodiscard]] bool has_document() const { return documents_ > 0; }
    [[nodiscard]] YamlNode &root() { return root_; }

    void OnDocumentStart(const YAML::Mark &mark) override;
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark &mark, YAML::anchor_t anchor) override;
    void OnAlias(const YAML::Mark &mark, YAML::anchor_t anchor) override;
    void OnScalar(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
                  const std::string &value) override;
    void OnSequenceStart(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value style) override;
    void OnSequenceEnd() override;
    void OnMapStart(const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value style) override;
    void OnMapEnd() override;

  private:
    struct OpenNode {
        YamlNode node;
        YAML::anchor_t anchor = 0;
        std::optional<YamlEntry> pending;          // map: key whose value comes next
        bool drop_value = false;                   // map: the key was refused
        std::map<std::string, TextPosition> seen;  // map: keys so far
    };

    [[nodiscard]] TextPosition place(const YAML::Mark &mark) const;
    [[nodiscard]] YamlNode start(YamlNode::Kind kind, const YAML::Mark &mark, const std::string &tag);
    void open(YamlNode::Kind kind, const YAML::Mark &mark, const std::string &tag, YAML::anchor_t anchor);
    void close();
    void deliver(YamlNode node, YAML::anchor_t anchor);
    void take_key(OpenNode &map, const YamlNode &key);
    void charge(const YamlNode &node, const TextPosition &position);
    void check_quotes(const YAML::Mark &mark) const;
    [[nodiscard]] std::string current_path() const;

    const std::string &text_;
    std::string path_;
    const YamlPlace &place_;
    Findings &findings_;
    YamlNode root_;
    std::vector<OpenNode> open_;
    std::map<YAML::anchor_t, YamlNode> anchors_;
    int documents_ = 0;
    std::size_t nodes_ = 0;
    std::size_t bytes_ = 0;
};

}  // namespace perdure
