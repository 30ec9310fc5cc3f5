// --set key.path=value.
#include "tests/solver/case_file/case_files.hpp"

namespace perdure::overrides_test {
namespace {

class Overrides : public CaseFileTest {
  protected:
    std::string case_ =
        "problem:\n  type: diffusion\n  a: {file: d.h5, dataset: /a, labels: {0: 1.0, 1: 0.0}}\n"
        "grid: {shape: [8, 9]}\nboundary:\n  x-: {value: 1.0}\n";
};

TEST_F(Overrides, ReplaceAndCreateValues) {
    const Config config =
        load(case_, {"solver.rtol=1e-6", "grid.shape=[10, 11]", "boundary.x-.value=2",
                     "problem.a.labels.1=0.5", " title = T = 2 ", "output.name=a", "output.name=b"});
    EXPECT_EQ(config.solver.rtol, 1e-6);
    EXPECT_EQ(config.grid.cells[0], 11);
    EXPECT_EQ(config.sides[0].values.number, 2.0);
    EXPECT_EQ(config.a.labels.at(0), 1.0);
    EXPECT_EQ(config.a.labels.at(1), 0.5);
    EXPECT_EQ(config.title, "T = 2");
    EXPECT_EQ(config.output.name, "b");
}

TEST_F(Overrides, TakeKeysOut) {
    const std::string jacobi = case_ + "solver: {method: cg, preconditioner: none, rtol: 1e-3}\n";
    const Config config = load(jacobi, {"solver.method=jacobi", "solver.preconditioner=", "solver.rtol = "});
    EXPECT_EQ(config.solver.method, SolverMethod::jacobi);
    EXPECT_EQ(config.solver.rtol, SolverConfig{}.rtol);
    EXPECT_EQ(
        errors(case_, {"solver.rtol=", "grid.shape.x=", "titel="}),
        (Texts{
            "--set solver.rtol= there is no 'solver.rtol' to remove; to set a value, write it after the '=', "
            "as in --set "
            "solver.rtol=1e-6",
            "--set grid.shape.x= there is no 'grid.shape.x' to remove; to set a value, write it after the "
            "'=', as in "
            "--set "
            "solver.rtol=1e-6",
            "--set titel= there is no 'titel' to remove; to set a value, write it after the '=', as in --set "
            "solver.rtol=1e-6"}));
}

TEST_F(Overrides, AreNotedInTheText) {
    EXPECT_EQ(case_text(load(case_, {"title=a", "solver.rtol=1e-6"})),
              case_ + "# --set title=a\n# --set solver.rtol=1e-6\n");
    case_.pop_back();
    EXPECT_EQ(case_text(load(case_, {"title='a\n\n  b'"})), case_ + "\n# --set title='a\n#   \n#     b'\n");
    EXPECT_EQ(case_text(load(case_, {"title='a\rb'"})), case_ + "\n# --set title='a\n#   b'\n");
    EXPECT_EQ(case_text(load(case_)), case_);
}

TEST_F(Overrides, HaveTheirOwnPlace) {
    const Config config = load(case_, {"problem.f=x", "boundary.y-={value: 3}"});
    EXPECT_EQ(config.f.position.file, "--set problem.f=x");
    EXPECT_EQ(config.f.position.line, 0);
    EXPECT_EQ(config.sides[2].position.file, "--set boundary.y-={value: 3}");
}

TEST_F(Overrides, HaveTheirOwnPlaceInsideAValue) {
    EXPECT_EQ(load(case_, {"problem.a.labels={0: 1, 2: 3}"}).a.position.file,
              "--set problem.a.labels={0: 1, 2: 3}");
    EXPECT_EQ(load(case_, {"problem.a.file=e.h5"}).a.position.file, "--set problem.a.file=e.h5");
    EXPECT_EQ(load(case_, {"problem.a.labels.1="}).a.position.file, "--set problem.a.labels.1=");
    EXPECT_EQ(load(case_).a.position.line, 3);
}

TEST_F(Overrides, FindingsNameThem) {
    EXPECT_EQ(
        errors(case_ + "titel: x\n", {"solver.rtol=abc", "solver.tolerence=1", "grid.shape=[1,"}),
        (Texts{"7:1 unknown key 'titel'; did you mean 'title'?",
               "--set grid.shape=[1, YAML syntax: end of sequence flow not found",
               "--set solver.rtol=abc solver.rtol: expected a number in [0, 1), found 'abc'",
               "--set solver.tolerence=1 unknown key 'solver.tolerence'; the keys allowed here are method, "
               "preconditioner, norm, rtol, atol, max_iterations, check_every"}));
    EXPECT_EQ(errors(case_, {"boundary.x-.flux=2"}),
              Texts{"6:7 boundary.x-: found both 'value' and 'flux', but a side has one kind of condition"});
    EXPECT_EQ(
        errors(case_, {"title="}),
        Texts{
            "--set title= there is no 'title' to remove; to set a value, write it after the '=', as in --set "
            "solver.rtol=1e-6"});
    EXPECT_EQ(errors(case_, {"title=#5"}), Texts{"--set title=#5 title: expected a title, found nothing"});
    EXPECT_EQ(errors(case_, {"title='a"}), Texts{"--set title='a YAML syntax: illegal EOF in scalar"});
    EXPECT_EQ(errors(case_, {"title=a: b"}), Texts{"--set title=a: b title: expected a title, found a map"});
    EXPECT_EQ(errors(case_, {"solver={rtol: 0.1, rtol: 0.2}"}),
              Texts{"--set solver={rtol: 0.1, rtol: 0.2} duplicate key 'solver.rtol'; it was first given in "
                    "--set solver={rtol: 0.1, rtol: 0.2}"});
    EXPECT_EQ(errors(case_, {"title=a\x1b"}),
              Texts{"--set title=a\x1b a control character (byte 0x1B): expected text"});
}

TEST_F(Overrides, MalformedOnes) {
    for (const std::string text : {"", "title", "=1", "solver..rtol=1", ".a=1", "a.=1", " =1"}) {
        EXPECT_EQ(errors(case_, {text}),
                  Texts{"--set " + text + " expected key.path=value, as in --set solver.rtol=1e-6"});
    }
    EXPECT_EQ(
        errors(case_, {"problem.type.x=1"}),
        Texts{
            "--set problem.type.x=1 'problem.type' holds 'diffusion' and not a map; set it as a whole, as in "
            "problem.type={x: ...}"});
    EXPECT_EQ(errors(case_, {"grid.shape.0=1"}).at(0).substr(0, 200),
              "--set grid.shape.0=1 'grid.shape' holds a list and not a map; set it as a whole, as in "
              "grid.shape=[...]");
}

TEST_F(Overrides, DoNotHideMistakesOfTheFile) {
    EXPECT_EQ(errors(case_ + "title: a\ntitle: b\n", {"title=c"}),
              Texts{"8:1 duplicate key 'title'; it was first given in line 7, column 1"});
}

TEST_F(Overrides, ChangeOneUseOfAnAlias) {
    const Config config = load(
        "problem: {type: diffusion, a: 1}\ngrid: {shape: [8, 9]}\n"
        "boundary: {x-: &side {value: 1}, x+: *side}\n",
        {"boundary.x+.value=5"});
    EXPECT_EQ(config.sides[0].values.number, 1.0);
    EXPECT_EQ(config.sides[1].values.number, 5.0);
}

}  // namespace
}  // namespace perdure::overrides_test
