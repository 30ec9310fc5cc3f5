// What the words of the table of keys mean to the schema. What the whole schema accepts: tests/solver/commands/schema_test.py.
#include "solver/case_file/case_schema.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

#include "solver/case_file/schema_of_keys.hpp"

namespace perdure::case_schema_test {
namespace {

using Words = std::vector<std::string>;

TEST(CaseSchema, ReadsAlternatives) {
    EXPECT_EQ(alternatives("auto, or a number in (0, 2)"), (Words{"auto", "number in (0, 2)"}));
    EXPECT_EQ(alternatives("auto, none or a whole number"), (Words{"auto", "none", "whole number"}));
    EXPECT_EQ(alternatives("expression in x, y, z"), (Words{"expression in x, y, z"}));
    EXPECT_EQ(alternatives("all, or a list such as [x, z]"), (Words{"all", "list such as [x, z]"}));
    EXPECT_EQ(alternatives("list of 1 to 3 whole numbers"), (Words{"list of 1 to 3 whole numbers"}));
}

/// As text: numbers, too, have to be written as they are.
std::string schema_of(std::string_view takes) {
    return schema_of_value(takes, [] { return Json(nullptr); }).dump();
}

TEST(CaseSchema, KnowsTypesAndRanges) {
    EXPECT_EQ(schema_of("number"), R"({"type":["number","string"],"pattern":"[0-9]|pi"})");
    EXPECT_EQ(schema_of("number in [0, 1)"),
              R"({"type":["number","string"],"pattern":"[0-9]|pi","minimum":0,"exclusiveMaximum":1})");
    EXPECT_EQ(schema_of("whole number > 1"),
              R"({"type":["integer","string"],"pattern":"[0-9]|pi","exclusiveMinimum":1})");
    EXPECT_EQ(schema_of("1 to 8"),
              R"({"type":["integer","string"],"pattern":"[0-9]|pi","minimum":1,"maximum":8})");
    EXPECT_EQ(schema_of("1"), R"({"const":1})");
    EXPECT_EQ(schema_of("true or false"), R"({"type":"boolean"})");
    EXPECT_EQ(schema_of("v, w or f"), R"({"enum":["v","w","f"]})");
    EXPECT_EQ(schema_of("VALUE"), R"({"$ref":"#/definitions/VALUE"})");
    EXPECT_EQ(
        schema_of("number > 0, or one per axis"),
        R"({"anyOf":[{"type":["number","string"],"pattern":"[0-9]|pi","exclusiveMinimum":0},{"type":"array","items":)"
        R"({"type":["number","string"],"pattern":"[0-9]|pi","exclusiveMinimum":0},"minItems":1,"maxItems":3}]})");
    EXPECT_EQ(
        schema_of("map of label to number"),
        R"({"type":"object","patternProperties":{"^[+-]?[0-9]+$":{"type":["number","string"],"pattern":"[0-9]|pi"}},"additionalProperties":false})");
}

TEST(CaseSchema, TakesAMapFromTheKeysBelow) {
    const auto map = [] { return Json{{"type", "object"}, {"additionalProperties", false}}; };
    EXPECT_EQ(schema_of_value("map, or periodic", map).dump(),
              R"({"anyOf":[{"enum":["periodic"]},{"type":"object","additionalProperties":false}]})");
}

TEST(CaseSchema, RefusesWordsThatItDoesNotKnow) {
    for (const char *const takes :
         {"a list of lists", "number near 1", "map", "number in (0, 1, 2)", "Text"}) {
        EXPECT_THROW((void)schema_of(takes), std::logic_error) << takes;
    }
}

TEST(CaseSchema, HasADefinitionForEachKey) {
    const Json schema = Json::parse(case_schema());
    for (const CaseKey &key : case_keys()) {
        const std::string path(key.path);
        ASSERT_TRUE(schema["definitions"].contains(path)) << path;
        const std::string description = schema["definitions"][path].value("description", "");
        EXPECT_TRUE(description.starts_with(key.meaning)) << path;
    }
    EXPECT_EQ(schema["else"]["required"].dump(), R"(["problem"])");
}

}  // namespace
}  // namespace perdure::case_schema_test
