"""Cases of resume_test.py."""

SYSTEM = """
title: a system
problem:
  type: system
  fields: {{u: "1 + 0.5*random(3)", v: "0.25*random(4)"}}
  equations: {{u: "0.2*lap(u) - u*v^2 + 0.1*sin(t)", v: "0.1*lap(v) + u*v^2 - v"}}
grid: {{shape: [{n}, {n}]}}
boundary: {{all: periodic}}
time: {{end: {end}, dt: 0.1, method: ssprk3, snapshots: {{every: {every}}}}}
solver: {{check_every: 2}}
execution: {{backend: host, model: {model}, groups: 2, barrier: group_leader{execution}}}
output: {{directory: results, name: it, checkpoint: {{{checkpoint}}}{output}}}
"""
WATCH = """
watch:
  every_steps: 3
  integrals: {mass: {sum: u + v}, most: {max: u}}
  probes: {here: {x: 2.25, y: 3.5}, cut: {from: {x: 1, y: 1}, to: {x: 6, y: 5}, points: 4, of: [v]}}
"""
REACTION = """
  fields: {u: "1 + 0.5*random(3)", v: "0.25*random(4)"}
  equations: {u: "0.2*lap(u) - u*v^2 + 0.1*sin(t)", v: "0.1*lap(v) + u*v^2 - v"}
"""
OSCILLATORS = """
  fields: {u: "1 + 0.5*random(3)", v: "0.25*random(4)"}
  equations: {u: v, v: "lap(u) - u^3 + 0.1*sin(t)"}
"""
SCHROEDINGER = """
  fields: {u: "1 + 0.5*random(3)", v: "0.25*random(4)"}
  equations: {u: "0.1*lap(v) - 0.3*v", v: "u*abs(u) - 0.1*lap(u)"}
"""
CARRIED = """
  fields: {u: "1 + random(3)", v: "0.25*random(4)"}
  equations: {u: "conserve(u^2/2, 0; abs(u))", v: "upwind((u, 0.5), v)"}
"""
# of each method of steps: equations, and its keys of `time`
METHODS = {
    "rk4": (REACTION, "method: rk4, dt: 0.1"),
    "rkl2": (REACTION, "method: rkl2, dt: 0.1"),
    "leapfrog in one phase": (OSCILLATORS, "method: leapfrog, dt: 0.1"),
    "leapfrog in three": (SCHROEDINGER, "method: leapfrog, dt: 0.1"),
    "bdf2": (REACTION, "method: bdf2, dt: 0.11"),
    "imex": (REACTION, "method: imex, implicit: [u], dt: 0.1"),
    "rk23": (REACTION, "method: rk23, dt: 1.5, rtol: 1e-5, atol: 1e-7"),
    "rk45": (OSCILLATORS, "method: rk45, dt: 2.5, rtol: 1e-9, atol: 1e-11"),
    "euler by waves": (CARRIED, "method: euler, dt: {cfl: 0.2}"),
    "ssprk3 by waves": (CARRIED, "method: ssprk3, dt: {cfl: 0.2}"),
}
IMPLICIT = """
title: heat by solves
problem: {type: heat, a: "1 + x", sigma: "0.1*y", capacity: "1 + 0.5*y", f: {expression: "y", factor: "cos(t)"}, initial: "x*y"}
grid: {shape: [12, 16], spacing: 0.25}
boundary: {x-: {value: 1.0}}
time: {end: 3.0, METHOD, snapshots: SNAPSHOTS}
solver: {SOLVER, rtol: 1e-9, check_every: 2}
execution: {backend: host, model: MODEL, groups: 2, barrier: group_leader}
output: {directory: results, name: it, checkpoint: {every_steps: 5}}
"""
WATCH_OF_HEAT = """
watch:
  every_steps: 3
  integrals: {heat: {sum: capacity*u}, west: {flux: x-}}
  probes: {here: {x: 2.25, y: 2.5}, cut: {from: {x: 1, y: 1}, to: {x: 3.5, y: 2}, points: 4, of: [u]}}
"""
HEAT = """
title: heat
problem: {{type: heat, a: "1 + x", f: {{expression: "y", factor: "cos(t)"}}, initial: "x*y"}}
grid: {{shape: [5, 6], spacing: 0.25}}
boundary: {{x-: {{value: 1.0}}}}
time: {{end: 0.03, dt: 0.001, snapshots: [0.0105, 0.02]}}
solver: {{check_every: 2}}
execution: {{backend: host, model: persistent, groups: 2, barrier: group_leader}}
output: {{directory: results, name: it, checkpoint: {{every_steps: 5}}}}
"""


def small(**changes):
    return SYSTEM.format(**{"n": 8, "end": 3.0, "every": 0.75, "model": "persistent", "execution": "", "output": "",
                            "checkpoint": "every_steps: 5", **changes})


def long(**changes):
    return small(**{"n": 24, "end": 150.0, "every": 37.5, "checkpoint": "every_steps: 50", **changes})


def stepped(method, watched, model="persistent", every=0.75, **others):
    """By one of METHODS."""
    equations, steps = METHODS[method]
    settings = {"n": 8, "end": 3.0, "checkpoint": "every_steps: 4", "snapshots": f"{{every: {every}}}", **others}
    return (f"title: {method}\nproblem:\n  type: system{equations}grid: {{shape: [{settings['n']}, {settings['n']}]}}\n"
            f"boundary: {{all: periodic}}\ntime: {{end: {settings['end']}, {steps}, snapshots: {settings['snapshots']}}}\n"
            f"solver: {{check_every: 2}}\nexecution: {{backend: host, model: {model}, groups: 2, barrier: group_leader}}\n"
            f"output: {{directory: results, name: it, checkpoint: {{{settings['checkpoint']}}}}}\n"
            f"{WATCH if watched else ''}")


def implicit(method, solver, model="persistent", snapshots="[0.75, 1.0]"):
    """The snapshots need steps of three sizes, and so three launches; with {every: 0.5} and steps that divide it one launch takes all."""
    return IMPLICIT.replace("METHOD", method).replace("SOLVER", solver).replace("MODEL", model).replace("SNAPSHOTS", snapshots)
