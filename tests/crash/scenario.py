"""A run that is disturbed: in a folder that is the same each time, with the values that its results must have."""

import pathlib
import shutil
import tempfile

from cases import output_names, write_inputs
from faults import Program
from results import Found, left_over, read_snapshots

OLD, NEW = "tag 1", "tag 2"


class Scenario:
    """A run of tag 2 of case `kind`. `old`: a finished result of tag 1 of this kind is there, and the run has --force.
    `always`: settings of the shim for every run."""

    def __init__(self, perdure, shim, kind, old=None, always=None):
        self.perdure, self.shim, self.kind, self.old, self.always = perdure, shim, kind, old, always or {}
        # one file and a folder of files cannot change places in one step: a kill in between leaves both, each whole
        self.changes_layout = {old, kind} == {"heat", "files"}
        self.root = pathlib.Path(tempfile.mkdtemp()).resolve()
        self.names = output_names(kind)
        self.cases = {}
        self.references = {name: {} for name in self.names}
        for tag, kinds in ((1, {old or kind}), (2, {kind})):
            for one in kinds:
                self.learn(one, tag)
        template = self._folder("template")
        self.cases = {1: write_inputs(template, old or kind, 1), 2: write_inputs(template, kind, 2)}
        (template / "results").mkdir()  # as a run before this one left it
        if old:
            self._expect_success(Program(perdure, shim, template, self.always).run(self.cases[1]))
        self.arguments = [self.cases[2]] + (["--force"] if old else [])
        self.tables = ["it_summary", "batch_summary"]

    def remove(self):
        shutil.rmtree(self.root)

    def _folder(self, name):
        folder = self.root / name
        folder.mkdir()
        return folder

    @staticmethod
    def _expect_success(done):
        if done.returncode != 0:
            raise AssertionError(f"{done.args}: exit code {done.returncode}: {done.stdout}{done.stderr}")

    def learn(self, kind, tag):
        """The values of an undisturbed run."""
        folder = self._folder(f"reference-{kind}-{tag}")
        self._expect_success(Program(self.perdure, self.shim, folder).run(write_inputs(folder, kind, tag)))
        for name in self.names:
            merged = {}
            for file in [folder / "results" / f"{name}.vtkhdf", *(folder / "results").glob(f"{name}.snapshots/*.vtkhdf")]:
                if file.exists():
                    title, snapshots = read_snapshots(file)
                    merged.update(snapshots)
            if not merged:
                raise AssertionError(f"{kind} left no result {name}: {sorted(folder.glob('results/**/*'))}")
            self.references[name][title] = merged

    def fresh(self, name="work"):
        """The program in a new copy of the folder."""
        return self.copy(self.root / "template", name)

    def copy(self, source, name):
        folder = self.root / name
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(source, folder)
        return Program(self.perdure, self.shim, folder, self.always)

    def copy_into(self, folder):
        """The program in a folder that exists, an empty file system for instance."""
        shutil.copytree(self.root / "template", folder, dirs_exist_ok=True)
        return Program(self.perdure, self.shim, folder, self.always)

    def look(self, program):
        """State of each output name, and what is left over."""
        results = program.folder / "results"
        return ([Found(results, name, self.references[name]) for name in self.names],
                left_over(results, self.names, self.tables))

    def faults(self, program, whole):
        """(kind, text) of each fault of the folder. `whole`: the titles of which one must be there, whole; None: may be no
        result at all."""
        states, rest = self.look(program)
        faults = [("left over", str(rest))] if rest else []
        for name, state in zip(self.names, states):
            faults += state.faults
            if len(state.whole) > 1 and not self.changes_layout:
                faults.append(("both", f"{name}: {state.whole}"))
            found = state.whole[0] if state.whole else None
            if not state.faults and found not in whole:
                faults.append(("neither" if found is None else "other", f"{name}: found {found}, expected one of {whole}"))
        return faults

    def has_partial(self, program):
        return [name for name in self.names if (program.folder / "results" / f"{name}.partial").exists()]
