"""The cases that the crash tests run. Each comes with a tag, 1, 2, 3 ...: its title, its boundary values and so every value of
its fields are those of this tag alone, so that a result tells which run wrote it."""

import h5py
import numpy as np

HEAT = """
title: tag {tag}
problem: {{type: heat, a: 1.0, initial: 0.0}}
grid: {{shape: [4, 6], spacing: 0.25}}
boundary: {{x-: {{value: {tag}}}, x+: {{value: 0.0}}}}
time: {{end: 0.03, dt: 0.005, snapshots: [0.01, 0.02, 0.03]}}
execution: {{backend: host, model: persistent}}
output: {{directory: results, name: it{output}}}
"""
GROWING = HEAT.replace("[4, 6]", "[300, 440]")  # snapshots of 1 MB without compression: in one file from the first on
STEADY = """
title: tag {tag}
problem: {{type: diffusion, a: 1.0, f: 1.0}}
grid: {{shape: [4, 6], spacing: 0.25}}
boundary: {{x-: {{value: {tag}}}, x+: {{value: 0.0}}}}
execution: {{backend: host, model: persistent}}
output: {{directory: results, name: it{output}}}
"""
EFFECTIVE = """
title: tag {tag}
problem: {{type: effective, a: {{file: image.h5, dataset: /image, labels: {{0: {tag}, 1: {tag}.5}}}}}}
grid: {{shape: [4, 4], spacing: 1.0}}
execution: {{backend: host, model: persistent}}
output: {{directory: results, name: it{output}}}
"""
SWEEP = STEADY + "sweep: {{problem.f: [1.0, 2.0, 3.0]}}\n"
MEMBERS = ["it-problem.f-1", "it-problem.f-2", "it-problem.f-3"]

TEXTS = {
    "steady": (STEADY, ""),
    "flux": (STEADY, ", fields: [u, flux]"),
    "heat": (HEAT, ""),
    "files": (HEAT, ", series: files"),
    "growing": (GROWING, ", compression: none"),
    "effective": (EFFECTIVE, ", fields: [u, flux]"),
    "sweep": (SWEEP, ""),
}


def case_text(kind, tag):
    text, output = TEXTS[kind]
    return text.format(tag=tag, output=output)


def write_inputs(folder, kind, tag):
    """Writes the case, and the image that `effective` reads; returns the name of the case file."""
    case = folder / f"{kind}-{tag}.yaml"
    case.write_text(case_text(kind, tag), encoding="utf-8")
    image = folder / "image.h5"
    if kind == "effective" and not image.exists():
        with h5py.File(image, "w") as file:
            file["image"] = np.indices((4, 4)).sum(axis=0) % 2
    return case.name


def output_names(kind):
    return MEMBERS if kind == "sweep" else ["it"]
