"""schema_test.py PERDURE INPUTS: what `perdure schema` prints accepts what `perdure validate` accepts, and refuses what that refuses for
its structure: cases in which one key was misspelt, left out, added, or given a value of another kind.

Exits with 77 where jsonschema or yaml cannot be imported.
"""

import copy
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

try:
    import jsonschema
    import yaml
except ImportError as error:
    print(f"SKIPPED: {error}")
    sys.exit(77)

INPUTS = sys.argv.pop()
PERDURE = os.path.abspath(sys.argv.pop())
TYPES = ("diffusion", "heat", "wave", "system", "effective")

# Messages of `perdure validate` about the structure of a case: those that a schema has to find.
STRUCTURE = (
    r"unknown key '",
    r"missing key '",
    r": missing; give du/dt for each field",
    r"expected (a map|a list|one of|a number|auto|all |text|true|false|a whole number|a formula|the )[^;]*, found (a map|a list|an? empty|nothing)",
    r"expected [a-z0-9_, ]+ or [a-z0-9_]+, found ('|a |[0-9])",
    r"expected [^;]*a number[^;]*, found '[a-z]+'",
    r"this key (belongs to type: |has a meaning only with a velocity)",
    r"is steady and has no time|has no time; remove the section|the sides of an effective case are|types heat and system can stop",
    r"types heat and system can be watched|a steady problem has no (checkpoints|snapshots)|is for systems of equations; in a",
    r"has no (omega|weight|preconditioner), which belongs",
    r"has only the coefficient a|has no convection|write velocities into the equations",
)
# Of these, what depends on names and on keys that are not there, which the schema does not follow.
BEYOND = (
    r"missing key 'watch\.probes\.[a-z_.]+\.[yz]'",  # how many coordinates a point has the shape says
    r": missing; give du/dt for each field",
    r"this key has a meaning only with a velocity",
)


class Loader(yaml.SafeLoader):
    """YAML 1.2, as perdure and editors read it: 1e-8 is a number, `on` and `y` are texts."""


Loader.yaml_implicit_resolvers = {}
for tag, pattern, first in (("bool", r"true|false", "tf"), ("null", r"~|null|", "~n\0"),
                            ("int", r"[-+]?[0-9]+", "-+0123456789"),
                            ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789")):
    for letter in first:
        Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"^(?:{pattern})$"),
                                     ["" if letter == "\0" else letter])


def to_float(loader, node):
    return float(loader.construct_scalar(node))


Loader.add_constructor("tag:yaml.org,2002:float", to_float)


def with_text_keys(value):
    """JSON has no other keys: labels are numbers in YAML."""
    if isinstance(value, dict):
        return {str(key): with_text_keys(part) for key, part in value.items()}
    return [with_text_keys(part) for part in value] if isinstance(value, list) else value


def with_whole_labels(value):
    """The other way round."""
    if isinstance(value, dict):
        return {int(key) if re.fullmatch("-?[0-9]+", key) else key: with_whole_labels(part) for key, part in value.items()}
    return [with_whole_labels(part) for part in value] if isinstance(value, list) else value


def perdure(*words, folder):
    """On host threads, which are there at once."""
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "", "OCL_ICD_VENDORS": "/dev/null"}
    return subprocess.run([PERDURE, *words], cwd=folder, env=environment, capture_output=True, text=True, timeout=500,
                          check=False)


def read(text):
    return with_text_keys(yaml.load(text, Loader))


def paths_of(case, above=()):
    """Of all keys, as tuples."""
    for key, value in case.items():
        yield (*above, key)
        if isinstance(value, dict):
            yield from paths_of(value, (*above, key))


def changed(case, path, change):
    """A copy in which `change` was applied to the map that holds the last key of `path`."""
    copied = copy.deepcopy(case)
    inner = copied
    for key in path[:-1]:
        inner = inner[key]
    change(inner, path[-1])
    return copied


def shrunk(case):
    """The same box with few cells."""
    small = copy.deepcopy(case)
    shape, spacing = case["grid"]["shape"], case["grid"].get("spacing", 1)
    small["grid"]["shape"] = [8] * len(shape)
    if "length" in case["grid"]:
        return small
    spacings = spacing if isinstance(spacing, list) else [spacing] * len(shape)
    small["grid"]["spacing"] = [edge * cells / 8 for edge, cells in zip(spacings, shape)]
    return small


def misspell(inner, key):
    entries = [(key + "x" if other == key else other, value) for other, value in inner.items()]
    inner.clear()
    inner.update(entries)


def become(value):
    def change(inner, key):
        inner[key] = value

    return change


MUTATIONS = {"misspelt": misspell, "left out": lambda inner, key: inner.pop(key), "a list": become([[1]]),
             "a map": become({"no_such_key": 1}), "an empty map": become({}), "a word": become("no_such_word"),
             "a number": become(-7), "nothing": become(None), "true": become(True)}


IMAGE = {"file": "image.h5", "dataset": "/image"}
FORMS = (  # starting case, key, values that are right, values that are wrong
    ("new_diffusion", "problem.a", [2, 2.5, "1 + x", {"number": 2}, {"expression": "1 + x"}, IMAGE, {**IMAGE, "labels": {"0": 1, "-3": 0.5}}],
     [None, [1], True, {}, {"number": 1, "expression": "x"}, {"file": "a.h5"}, {"dataset": "/a"}, {**IMAGE, "labels": {}},
      {**IMAGE, "labels": {"pore": 1}}, {"number": "x"}, {"expression": [1]}]),
    ("convected_boundary_layer.yaml", "problem.velocity", [[1, "x"], [IMAGE, 0]], [1, [], [1, 2, 3, 4], [1, None]]),
    ("new_diffusion", "grid.length", [1, 0.5, [0.5, 1]], [0, -1, [1, 0], "wide", {}]),
    ("new_diffusion", "grid.shape", [[8, 9]], [8, [8, 0], [8, 8.5], [8, 8, 8, 8], ["8", "x"]]),
    ("new_diffusion", "boundary.x-", [{"value": 1}, {"flux": "y"}, {"exchange": {"coefficient": 1, "ambient": IMAGE}}],
     ["value", {"exchange": {"coefficient": 1}}, {"exchange": 1}, {"value": 1, "flux": 1}, {}, {"periodic": 1}, 3]),
    ("new_diffusion", "solver.method", ["cg"], ["gc", "multigrid", 1]),  # multigrid takes no preconditioner
    ("new_diffusion", "solver", [{"method": "sor", "omega": 1.5}, {"method": "sor", "omega": "auto"}, {"method": "jacobi", "weight": 0.5},
                                 {"method": "multigrid", "multigrid": {"cycle": "w", "sweeps": 8, "direct_level": "none"}},
                                 {"preconditioner": "multigrid", "multigrid": {"direct_level": 0}}, {"rtol": 0, "atol": 1}],
     [{"method": "sor", "omega": 2}, {"method": "sor", "weight": 1}, {"method": "cg", "omega": 1}, {"method": "chebyshev", "preconditioner": "none"},
      {"method": "multigrid", "multigrid": {"sweeps": 9}}, {"method": "bicgstab", "preconditioner": "multigrid"}, {"rtol": 1}, {"rtol": -1e-9},
      {"max_iterations": 0}, {"check_every": 1.5}]),
    ("new_diffusion", "output", [{"compression": "gzip"}, {"fields": []}, {"name": "a"}, {"units": "K"}],
     [{"compression": "zip"}, {"fields": "u"}, {"name": ""}, {"series": "files"}, {"checkpoint": {"keep": 2}}]),
    ("new_diffusion", "title", ["a", 12, True], ["", None, [], {}]),
    ("new_diffusion", "execution", [{"time_limit": 90}, {"time_limit": "1h30m"}, {"time_limit": "30"}, {"backend": "host", "device": 0}, {"reproducible": True}, {"cg_variant": "x"}],
     [{"time_limit": "1h 30m"}, {"time_limit": 0}, {"device": -1}, {"reproducible": "yes"}, {"groups": 0}]),
    ("new_diffusion", "sweep", [{"problem.a": {"from": 1, "to": 100, "count": 5, "scale": "log"}}, {"zip": {"problem.a": [1, 2], "problem.f": [3, 4]}},
                                {"sample": {"method": "latin_hypercube", "count": 3, "seed": 2, "keys": {"problem.a": {"from": 1, "to": 2}, "solver.rtol": [0.1, 0.2]}}}],
     [{"problem.a": {"from": 1, "to": 2}}, {"problem.a": {"from": 1, "to": 2, "count": 3, "by": 1}}, {"problem.a": []}, {"problem.a": 1}, {"zip": {}},
      {"zip": {"problem.a": 1}}, {"sample": {"count": 3}}, {"sample": {"count": 0, "keys": {"problem.a": {"from": 1, "to": 2}}}},
      {"sample": {"count": 3, "keys": {"problem.a": {"from": 1}}}}, {"problem.a": {"from": 1, "to": 2, "count": 3, "scale": "logarithmic"}}, []]),
    ("new_diffusion", "format", [1], [2, 0, "1a", None]),
    ("new_heat", "time.snapshots", [[0.5, 1], {"every": 3600}, {"every_steps": 4}, []], [{}, {"every": 1, "every_steps": 2}, 3, [0], [-1], {"every": 0}]),
    ("new_heat", "time.dt", [60], [{"cfl": 0.4}, 0, "automatic", {}]),
    ("new_heat", "output.checkpoint", [{"every_steps": 5}, {"every_minutes": 0.5, "keep": 1, "on_signal": False}],
     [{"every_steps": 0.5}, {"every_seconds": 1}, {"on_signal": 1}, 5]),
    ("new_wave", "problem.damping", [1, "x"], [[1], {"numbr": 1}]),
    ("new_wave", "problem.capacity", [], [1]),
    ("new_effective", "problem.directions", ["all", ["x"], ["z", "x"]], ["x", [], ["w"], ["x", "x"]]),
    ("new_effective", "problem.lateral", ["flux", "periodic"], ["value", True]),
    ("new_effective", "boundary", [{"all": "periodic"}, {}], [{"all": {"flux": 0}}, {"x-": "periodic", "x+": "periodic"}, "periodic"]),
    ("new_system", "problem.fields.u", [1, "x", IMAGE, {"initial": "x", "units": "K"}, {"exact": "t*x"}, {"boundary": {"y-": "periodic", "y+": "periodic"}}],
     [{}, {"initials": 1}, [1], {"initial": 1, "number": 1}, {"file": "a.h5"}]),
    ("new_system", "problem.parameters.k", [0.06, {"value": 0.06, "units": "1/s"}], ["x", {"units": "1/s"}, {"value": "x"}, [1], {}]),
    ("new_system", "boundary", [{"all": "periodic"}, {"all": {"flux": "-u"}}, {"all": {"flux": 0}, "x-": {"value": "sin(t)"}}],
     [{"all": "closed"}, {"alle": "periodic"}, {"all": {}}]),
    ("new_system", "watch", [{"every": 1, "integrals": {"m": {"sum": "u", "where": "x < 1", "units": "mol"}}},
                             {"probes": {"p": {"x": 0.5, "y": 1}, "v_mean": {"x": 1, "y": 1}}},
                             {"probes": {"p": {"from": {"x": 0, "y": 0}, "to": {"x": 1, "y": 1}, "points": 5, "of": ["u"]}}},
                             {"probes": {"p": {"x": 0.5, "y": 1, "of": {"s": "u + v"}}}}],
     [{"integrals": {"m": {"sum": "u", "mean": "u"}}}, {"integrals": {"m": {"where": "x < 1"}}}, {"integrals": {}}, {"integrals": {"1m": {"sum": "u"}}},
      {"probes": {"p": {"y": 0.5}}}, {"probes": {"p": {"from": {"x": 0, "y": 0}, "to": {"y": 1}, "points": 5}}},
      {"probes": {"p": {"from": {"x": 0, "y": 0}, "points": 5}}}, {"probes": {"p": {"x": 1, "y": 1, "of": "u"}}}]),
)


class Schema(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.keep = tempfile.TemporaryDirectory()
        cls.folder = cls.keep.name
        cls.schema = json.loads(perdure("schema", folder=cls.folder).stdout)
        cls.validator = jsonschema.Draft7Validator(cls.schema)
        cls.cases = {}
        for path in sorted(glob.glob(os.path.join(INPUTS, "*.yaml"))):
            with open(path, encoding="utf-8") as file:
                cls.cases[os.path.basename(path)] = read(file.read())
        for name in TYPES:
            done = perdure("new", "--type", name, f"new_{name}.yaml", folder=cls.folder)
            assert done.returncode == 0, done.stderr
            with open(os.path.join(cls.folder, f"new_{name}.yaml"), encoding="utf-8") as file:
                cls.cases[f"new_{name}"] = read(file.read())

    @classmethod
    def tearDownClass(cls):
        cls.keep.cleanup()

    def errors(self, case):
        return [f"{'.'.join(map(str, error.absolute_path))}: {error.message[:300]}" for error in self.validator.iter_errors(case)]

    def validate(self, cases):
        """What `perdure validate` says of each; None: nothing. Files that are not there are no matter of structure."""
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            for number, case in enumerate(cases):
                with open(os.path.join(folder, f"{number}.yaml"), "w", encoding="utf-8") as file:
                    yaml.dump(with_whole_labels(case), file, Dumper=getattr(yaml, "CSafeDumper", yaml.SafeDumper), sort_keys=False)
            names = [f"{number}.yaml" for number in range(len(cases))]
            done = perdure("validate", *names, "--json", folder=folder)
            said = {}
            for line in done.stdout.splitlines():
                entry = json.loads(line)
                name = entry["case"].split(",")[0]  # behind it the member of a sweep
                said[name] = said.get(name) or entry.get("error")
            self.assertEqual(set(said), set(names), done.stderr[-2000:])
            return [said[name] for name in names]

    def test_it_is_a_schema(self):
        jsonschema.Draft7Validator.check_schema(self.schema)

    def test_it_accepts_every_input_and_every_starting_case(self):
        self.assertGreater(len(self.cases), 20)
        others = {}
        for path in glob.glob(os.path.join(INPUTS, "..", "tests", "digests", "*.yaml")):
            with open(path, encoding="utf-8") as file:
                others[path] = read(file.read())
        self.assertGreater(len(others), 5)
        for name, case in {**self.cases, **others}.items():
            with self.subTest(name):
                self.assertEqual(self.errors(case), [])

    def small_cases(self):
        for name, case in self.cases.items():
            yield name, shrunk(case)

    def mutants(self):
        """Cases with one change: (what was done, case). A key is changed in one case of each type."""
        done = set()
        for name, case in self.small_cases():
            for path in paths_of(case):
                listed = (case["problem"]["type"], *(part for part in path if len(part) > 1 or path[0] != "problem"))
                if listed not in done:
                    done.add(listed)
                    for word, change in MUTATIONS.items():
                        yield f"{name}: {'.'.join(path)}: {word}", changed(case, path, change)

    def additions(self):
        """Starting cases with a key that may belong to another type."""
        for name, case in self.small_cases():
            for path in self.schema["definitions"] if name.startswith("new_") else ():
                above, _, key = path.rpartition(".")
                if above in ("", "problem", "boundary", "time", "output", "solver", "execution") and not key.isupper():
                    for value in (1, {}, "u"):
                        added = copy.deepcopy(case)
                        inner = added.setdefault(above, {}) if above else added
                        if key not in inner:
                            inner[key] = value
                            yield f"{name}: {path} added: {value}", added

    def test_it_refuses_what_validate_refuses_for_structure(self):
        mutants = [*self.mutants(), *self.additions()]
        refused = 0
        for (what, case), said in zip(mutants, self.validate([case for _, case in mutants])):
            wrong = said is not None and any(re.search(pattern, line) for pattern in STRUCTURE for line in said.splitlines()
                                             if not any(re.search(beyond, line) for beyond in BEYOND))
            if said is not None and not wrong:
                continue
            refused += wrong
            if self.validator.is_valid(case) == wrong:
                with self.subTest(what):
                    self.fail(said if wrong else self.errors(case))
        self.assertGreater(refused, 1500)

    def test_forms_of_values(self):
        """Each alone in a starting case, accepted by both or by neither."""
        for name, path, good, bad in FORMS:
            forms = [(value, True) for value in good] + [(value, False) for value in bad]
            cases = []
            for value, _ in forms:
                case = shrunk(self.cases[name])
                inner = case
                for key in path.split(".")[:-1]:
                    inner = inner.setdefault(key, {})
                inner[path.split(".")[-1]] = value
                cases.append(case)
            for (value, accepted), case, said in zip(forms, cases, self.validate(cases)):
                with self.subTest(f"{name}: {path}: {value}"):
                    self.assertEqual(said is None or "no file '" in said, accepted, said)
                    self.assertEqual(self.errors(case) == [], accepted, self.errors(case))

    def test_a_sweep_may_give_what_is_missing(self):
        case = {"problem": {"type": "diffusion", "a": 1, "f": 1}, "grid": {"shape": [8, 8]}, "boundary": {"x-": {"value": 0}}}
        sweeps = [
            ({"solver.rtol": [1e-4, 1e-6]}, True), ({"solver.rtol": 1e-4}, False), ({"solver.rtol": []}, False),
            ({"solver.rtoll": [1e-4]}, False), ({"solver.rtol": ["small"]}, False), ({"solver": [{"rtol": 1e-4}]}, True),
            ({"grid.shape": [[8, 8], [16, 16]]}, True), ({"grid.shape": [8, 8]}, False), ([], False), (7, False), (None, True),
            ([{"problem.a": 1, "title": "thin"}, {"problem.a": "1 + x", "output.name": "thick"}], True),
            ([{"problem.a": 1}, {"problem.b": 2}], False), ([7], False), ({"sweep": [1]}, False), ({"format": [1]}, True),
            ({"problem.a.labels.0": [1, 2]}, None), ({"boundary.x-.value": [0, 1]}, True), ({"boundary.x-.valu": [0, 1]}, False),
            ([{"problem.type": "heat", "time.end": 0.1}, {"problem.type": "diffusion"}], True),
        ]
        cases = [{**case, "sweep": sweep} for sweep, _ in sweeps]
        unfinished = copy.deepcopy(cases[0])
        del unfinished["grid"], unfinished["problem"]["a"]
        unfinished["sweep"] = {"grid.shape": [[8, 8]], "problem.a": [1, 2]}
        for case, accepted, said in zip([*cases, unfinished], [*(good for _, good in sweeps), True],
                                        self.validate([*cases, unfinished])):
            with self.subTest(case["sweep"]):
                if accepted is not None:
                    self.assertEqual(said is None, accepted, said)
                    self.assertEqual(not self.errors(case), accepted, self.errors(case))
        del unfinished["sweep"]
        self.assertEqual(len(self.errors(unfinished)), 2)

    def test_old_names_are_known(self):
        case = copy.deepcopy(self.cases["new_heat"])
        case["time"]["integrator"] = case["time"].pop("method")
        self.assertEqual(self.errors(case), [])
        case["time"]["integrator"] = "no_such_method"
        self.assertNotEqual(self.errors(case), [])

    def test_it_has_meanings_and_defaults(self):
        keys = self.schema["definitions"]
        self.assertEqual(keys["solver.norm"], {"default": "l2", "description": "norm of the residual", "enum": ["l2", "max"]})
        self.assertEqual(keys["solver.rtol"]["default"], 1e-8)
        self.assertEqual((keys["solver.rtol"]["minimum"], keys["solver.rtol"]["exclusiveMaximum"]), (0, 1))
        self.assertIs(keys["execution.reproducible"]["default"], False)
        self.assertNotIn("default", keys["grid.shape"])
        self.assertTrue(keys["time.method"]["description"].endswith("; default: that of the equation"))
        self.assertEqual([word for word in TYPES if word not in keys["problem.type"]["enum"]], [])


if __name__ == "__main__":
    unittest.main()
