// Files that are no case file: text, YAML syntax, documents, keys, aliases.
#include "tests/solver/case_file/case_files.hpp"

namespace perdure::yaml_syntax_test {
namespace {

using YamlSyntax = CaseFileTest;

TEST_F(YamlSyntax, FilesThatCannotBeRead) {
    const auto code = [](const std::filesystem::path &path) {
        try {
            load_config(path);
        } catch (const Failure &failure) {
            return fmt::format("{} {}", static_cast<int>(failure.code()),
                               failure.diagnostics().front().message);
        }
        return std::string();
    };
    EXPECT_EQ(code(folder_), "6 expected a case file, found a folder");
    EXPECT_EQ(code(folder_ / "wall.yaml"), "6 there is no such file");
    const auto neighbour = write("", "walls.yaml");
    EXPECT_EQ(code(folder_ / "wall.yaml"),
              fmt::format("6 there is no such file; did you mean '{}'?", neighbour.string()));
    EXPECT_EQ(code(write(std::string((4U << 20U) + 1, '#'))),
              "2 the file is larger than 4 MiB: expected a case file in YAML; "
              "store large fields in HDF5 files and name these in the case");
}

TEST_F(YamlSyntax, EmptyFiles) {
    const Texts expected{"1:1 the case file is empty; `perdure new case.yaml` writes a starting case"};
    for (const char *text : {"", "\n\n", "# only a comment\n", "---\n", "\xEF\xBB\xBF", "~\n"}) {
        EXPECT_EQ(errors(text), expected) << text;
    }
}

TEST_F(YamlSyntax, TextThatIsNoText) {
    EXPECT_EQ(errors(std::string("title: a\0b\n", 11)),
              Texts{"1:9 a control character (byte 0x00): expected text"});
    EXPECT_EQ(errors("a: 1\né: \x1b[31m\n"), Texts{"2:4 a control character (byte 0x1B): expected text"});
    EXPECT_EQ(errors("title: caf\xE9\n"),
              Texts{"1:11 byte 0xE9 is not UTF-8: expected text; save the file as UTF-8"});
    EXPECT_EQ(errors(std::string("\xFF\xFEt\0", 4)),
              Texts{"1:1 byte 0xFF is not UTF-8: expected text; save the file as UTF-8"});
    for (const char *byte : {"\xED\xA0\x80", "\xC0\x80", "\xF5\x80\x80\x80", "\xE2\x82", "\x80"}) {
        const Texts found = errors(fmt::format("title: {}\n", byte));
        ASSERT_EQ(found.size(), 1);
        EXPECT_EQ(found[0].substr(0, 13),
                  "1:8 byte 0x" + fmt::format("{:02X}", static_cast<unsigned char>(*byte)));
    }
    EXPECT_EQ(errors("title: \"a\\0b\"\nproblem: {type: diffusion, a: 1}\ngrid: {shape: [2, 2]}\n"),
              Texts{"1:8 title: a control character (byte 0x00): expected text"});
}

TEST_F(YamlSyntax, SyntaxErrorsHaveTheirPlaceAndLine) {
    try {
        load("a: [1,\n  2\nb: 3\n");
        FAIL();
    } catch (const Failure &failure) {
        EXPECT_EQ(
            failure.what(),
            (folder_ / "case.yaml").string() +
                ":3:2: error: YAML syntax: end of sequence flow not found; it begins in line 1, column 4\n"
                "    3 | b: 3\n"
                "      |  ^");
    }
    EXPECT_EQ(
        errors("a:\n\tb: 1\n"),
        Texts{"2:3 YAML syntax: illegal map value; indent with spaces, because YAML allows no tabs there"});
    EXPECT_EQ(errors("title: 'never closed\nproblem: 1\n"),
              Texts{"1:8 YAML syntax: this quotation mark is never closed"});
    EXPECT_EQ(errors("é: {b: 1}}\n"), Texts{"1:10 YAML syntax: illegal flow end"});
    const Texts unknown_anchor = errors("a: *b\n");  // yaml-cpp 0.8 adds its name
    ASSERT_EQ(unknown_anchor.size(), 1U);
    EXPECT_EQ(unknown_anchor[0].substr(0, 53), "1:4 YAML syntax: the referenced anchor is not defined");
}

TEST_F(YamlSyntax, FurtherDocuments) {
    const std::string valid = "problem: {type: diffusion, a: 1}\ngrid: {shape: [2, 2]}\n";
    EXPECT_EQ(errors(valid + "---\na: 1\n"),
              Texts{"3:1 a second YAML document starts here, but a case file holds only one"});
    EXPECT_EQ(errors("  " + valid),
              Texts{"2:1 YAML syntax: this line does not fit the lines above it; check the indentation"});
    EXPECT_EQ(errors("---\n" + valid + "...\n# end\n"), Texts{});
}

TEST_F(YamlSyntax, RootThatIsNoMap) {
    EXPECT_EQ(errors("- 1\n- 2\n"), Texts{"1:1 expected a map of keys and values, found a list"});
    EXPECT_EQ(errors("word\n"), Texts{"1:1 expected a map of keys and values, found 'word'"});
}

TEST_F(YamlSyntax, DuplicateKeysNameBothPlaces) {
    EXPECT_EQ(errors("problem: {type: diffusion, a: 1, a: 2}\ngrid:\n  shape: [2, 2]\n  spacing: 1\n"
                     "grid: {shape: [3, 3]}\nboundary:\n  x-: {value: 1}\n  x-: {value: 1}\n"),
              (Texts{"1:34 duplicate key 'problem.a'; it was first given in line 1, column 28",
                     "5:1 duplicate key 'grid'; it was first given in line 2, column 1",
                     "8:3 duplicate key 'boundary.x-'; it was first given in line 7, column 3"}));
    EXPECT_EQ(errors("output: {fields: [{u: 1, u: 2}]}\n").at(3),
              "1:26 duplicate key 'output.fields[0].u'; it was first given in line 1, column 20");
}

TEST_F(YamlSyntax, KeysThatAreNoWords) {
    EXPECT_EQ(errors_of_diffusion("[a, b]: 1\n"), Texts{"3:1 expected a word as a key, found a list"});
    EXPECT_EQ(errors_of_diffusion("solver: {~: 1}\n"), Texts{"3:10 expected a word as a key, found nothing"});
    EXPECT_EQ(errors_of_diffusion("title: !!str x\n"),
              Texts{"3:8 a tag such as '!!float' has no meaning in a case file; remove it"});
}

TEST_F(YamlSyntax, UnknownKeys) {
    EXPECT_EQ(errors_of_diffusion("titel: x\n"), Texts{"3:1 unknown key 'titel'; did you mean 'title'?"});
    EXPECT_EQ(errors_of_diffusion("solver:\n  max_iteration: 3\n"),
              Texts{"4:3 unknown key 'solver.max_iteration'; did you mean 'max_iterations'?"});
    EXPECT_EQ(errors_of_diffusion("solver:\n  colour: 1\n"),
              Texts{"4:3 unknown key 'solver.colour'; the keys allowed here are method, preconditioner, "
                    "norm, rtol, atol, "
                    "max_iterations, check_every"});
    EXPECT_EQ(errors_of_diffusion("boundary: {x-: {value:1}}\n").back(),
              "3:17 unknown key 'boundary.x-.value:1'; write a space after the colon");
}

TEST_F(YamlSyntax, AliasBombsAreRefused) {
    std::string nodes = "a0: &a0 [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n";
    for (int i = 1; i < 30; ++i) {
        nodes += fmt::format("a{0}: &a{0} [*a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}]\n",
                             i, i - 1);
    }
    std::string text = "a: &a \"" + std::string(1U << 20U, 'x') + "\"\nb: [*a";
    for (int i = 0; i < 10000; ++i) {
        text += ", *a";
    }
    for (const std::string &bomb : {nodes, text + "]\n"}) {
        const Texts found = errors(bomb);
        ASSERT_EQ(found.size(), 1);
        EXPECT_NE(found[0].find("more than 100000 values or 16 MiB of text up to here"), std::string::npos);
    }
    EXPECT_EQ(errors_of_diffusion("title: &t [*t]\n").at(0), "3:8 title: expected a title, found a list");
    EXPECT_EQ(errors_of_diffusion("title: &t [*t]\n").at(1),
              "3:12 an alias may not be used inside the value that it refers to");
}

TEST_F(YamlSyntax, DeepNestingIsRefused) {
    EXPECT_EQ(errors(std::string(100'000, '[')),
              Texts{"1:1 lists and maps are nested too deeply for a case file"});
}

TEST_F(YamlSyntax, EndlessErrorsAreCounted) {
    std::string text = "problem: {type: diffusion, a: 1}\ngrid: {shape: [2, 2]}\n";
    for (int i = 0; i < 150; ++i) {
        text += fmt::format("unknown_{}: 1\n", i);
    }
    const Texts found = errors(text);
    EXPECT_EQ(found.size(), 101);
    EXPECT_EQ(found.back(), "case.yaml 50 more errors are not shown");
}

}  // namespace
}  // namespace perdure::yaml_syntax_test
