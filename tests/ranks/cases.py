"""Small cases that ranks share: by phases alone, with levels of multigrid, and of an image."""

CASES = {
    "far": """
problem:
  type: system
  fields: {u: {initial: sin(6.283185307179586*x)*sin(6.283185307179586*z)*y}}
  equations: {u: "-1.0e-9*lap(lap(lap(lap(u)))) + 0.05*lap(u)"}
grid: {shape: [11, 40, 64], length: [1, 1, 1]}
boundary: {all: periodic}
time: {method: rk4, dt: 2.0e-9, end: 1.0e-8}
""",
    "heat": """
problem: {type: heat, a: 1 + 0.5*sin(6.28*x)*cos(6.28*y), f: x*y, initial: x*(1 - y)}
grid: {shape: [96, 37], length: [1, 1]}
boundary: {x-: {value: 1}, x+: {flux: 0.3}, y-: periodic, y+: periodic}
time: {end: 4.0e-4, snapshots: [2.0e-4]}
""",
    "cg": """
problem: {type: diffusion, a: 1 + x*y, f: sin(7*x)*z}
grid: {shape: [22, 17, 19], length: [1, 1, 1]}
boundary: {all: {value: 0}}
solver: {method: cg, preconditioner: jacobi, norm: max, rtol: 0.1, check_every: 5}
""",
    "bicgstab": """
problem: {type: diffusion, a: 0.1, f: 1, velocity: [2*y, -x]}
grid: {shape: [80, 27], length: [1, 1]}
boundary: {all: {value: 0}}
solver: {method: bicgstab, preconditioner: jacobi, rtol: 0.1, check_every: 5}
""",
    "implicit": """
problem: {type: heat, a: 1 + x, initial: x*y}
grid: {shape: [80, 30], length: [1, 1]}
boundary: {x-: {value: 1}, x+: {value: 0}}
time: {method: crank_nicolson, dt: 1.0e-3, end: 3.0e-3, snapshots: [1.0e-3]}
solver: {method: cg, preconditioner: jacobi, rtol: 1.0e-3}
""",
    "newton": """
problem: {type: heat, a: 1 + u^2, initial: x*y}
grid: {shape: [80, 20], length: [1, 1]}
boundary: {x-: {value: 1}, y+: {flux: 1 - u^4}}
time: {method: bdf2, dt: 1.0e-3, end: 2.0e-3}
""",
    "stiff": """
problem:
  type: system
  fields: {u: {initial: x*y}}
  equations: {u: lap(u) - u^3}
grid: {shape: [80, 20], length: [1, 1]}
time: {method: rkl2, dt: 4.0e-4, end: 8.0e-4}
execution: {precision: float32}
""",
    "sor": """
problem: {type: diffusion, a: 1 + x, f: 1}
grid: {shape: [80, 21], length: [1, 1]}
boundary: {all: {value: 0}}
solver: {method: sor, norm: max, rtol: 0.5, check_every: 5}
""",
    "chebyshev": """
problem: {type: diffusion, a: 1 + x, f: 1}
grid: {shape: [80, 21], length: [1, 1]}
boundary: {all: {value: 0}}
solver: {method: chebyshev, rtol: 0.5, check_every: 5}
execution: {precision: float32}
""",
    "wave": """
problem: {type: wave, a: 1, initial: exp(-100*((x - 0.5)^2 + (y - 0.5)^2 + (z - 0.5)^2))}
grid: {shape: [20, 18, 16], length: [1, 1, 1]}
boundary: {all: periodic}
time: {end: 0.2}
""",
    "watched": """
problem:
  type: system
  fields: {u: {initial: 1 - 0.5*(abs(x - 0.5) < 0.1)}, v: {initial: 0.25*(abs(y - 0.5) < 0.2) + 0.01*random(1)}}
  parameters: {Du: 2.0e-5, Dv: 1.0e-5, F: 0.04, k: 0.06}
  equations: {u: Du*lap(u) - u*v^2 + F*(1 - u), v: Dv*lap(v) + u*v^2 - (F + k)*v}
grid: {shape: [96, 40], length: [1, 1]}
boundary: {all: periodic}
time: {method: rk4, dt: 1.0, end: 20, stop_when: t > 10 and high_v < 10}
watch:
  every_steps: 2
  integrals: {mass: {sum: u + v}, most: {Linf: v}, middle: {flux: y+, of: grad(u)}}
  probes: {low: {x: 0.3, y: 0.1, of: {u: u, slope: dy(v)}}, high: {x: 0.61, y: 0.93, of: {v: v}}}
""",
    "adaptive": """
problem:
  type: system
  fields: {u: {initial: sin(6.283185307179586*x)*sin(6.283185307179586*y)}}
  equations: {u: -1.0e-6*lap(lap(u)) + 0.05*lap(u) - u*dx(u)}
grid: {shape: [80, 34], length: [1, 1]}
boundary: {all: periodic}
time: {method: rk45, rtol: 1.0e-6, atol: 1.0e-9, end: 0.02, snapshots: [0.01]}
""",
    "courant": """
problem:
  type: system
  fields: {h: {initial: 1 + (x < 0.5)}, q: {initial: 0}, p: {initial: 0}}
  let:
    c: sqrt(9.81*h)
    slowest: (q/h - c, p/h - c)
    fastest: (q/h + c, p/h + c)
  equations:
    h: "conserve(q, p; slowest, fastest, minmod)"
    q: "conserve(q^2/h + 4.905*h^2, q*p/h; slowest, fastest, minmod)"
    p: "conserve(q*p/h, p^2/h + 4.905*h^2; slowest, fastest, minmod)"
grid: {shape: [80, 30], length: [1, 1]}
time: {method: ssprk3, dt: {cfl: 0.4}, end: 0.005}
""",
    "noise": """
problem: {type: system, fields: {u: {initial: 0.1*random(2)}}, equations: {u: "0.01*lap(u) + u - u^3 + 0.05*noise(8)"}}
grid: {shape: [70, 23], length: [1, 1]}
time: {method: euler, dt: 1.0e-3, end: 0.05, snapshots: [0.02, 0.03]}
watch: {every_steps: 7, integrals: {least: {min: u}, squares: {sum: u^2}}}
""",
    "leapfrog": """
problem:
  type: system
  fields: {u: {initial: exp(-50*((x - 0.5)^2 + (y - 0.4)^2))}, v: {initial: 0}}
  equations: {u: v, v: lap(u) - sin(u)}
grid: {shape: [75, 31], length: [1, 1]}
boundary: {x-: {value: 0}, x+: {value: 0}, y-: periodic, y+: periodic}
time: {method: leapfrog, dt: 5.0e-3, end: 0.2, stop_when: point_middle < 0.5}
watch: {every: 0.013, probes: {point: {x: 0.5, y: 0.4, of: {middle: u}}}}
""",
    "half_steps": """
problem:
  type: system
  fields: {re: {initial: exp(-20*((x - 0.6)^2 + (y - 0.5)^2))}, im: {initial: 0}}
  equations: {re: -lap(im)/2, im: lap(re)/2}
grid: {shape: [80, 21], length: [1, 1]}
boundary: {all: {value: 0}}
time: {method: leapfrog, dt: 1.0e-4, end: 4.0e-3}
execution: {precision: float32}
""",
    "imex": """
problem:
  type: system
  fields: {u: {initial: 0.5 + 0.1*sin(6.283185307179586*x)*y}, w: {initial: x*y}}
  let: {diffusion: 0.1*lap(u), spread: 0.05*lap(w)}
  equations: {u: diffusion + u - u^3 - w, w: spread + 0.1*(u - w)}
grid: {shape: [80, 26], length: [1, 1]}
boundary: {all: periodic}
time: {method: imex, implicit: [diffusion, spread], dt: 0.01, end: 0.08, snapshots: [0.035]}
watch: {every_steps: 3, integrals: {mean: {mean: u}, most: {max: w}}, probes: {point: {x: 0.51, y: 0.52, of: {w: w, dw: dx(w)}}}}
""",
    "watched_heat": """
problem: {type: heat, a: 1 + 0.5*sin(6.28*x)*cos(6.28*y), f: x*y, initial: x*(1 - y)}
grid: {shape: [80, 27], length: [1, 1]}
boundary: {x-: {value: 1}, x+: {flux: 0.3}, y-: periodic, y+: periodic}
time: {end: 4.0e-3, snapshots: [1.0e-3, 2.0e-3], stop_when: t > 2.5e-3 and far_far > 0.1}
watch: {every: 3.0e-4, integrals: {heat: {mean: u}}, probes: {far: {x: 0.95, y: 0.99, of: {far: u}}}}
""",
}
# Levels that ranks share are those of more than 32^3 cells with two planes for each; of those that transforms solve each also has 16 lines.
CYCLES = {
    "multigrid": """
problem: {type: diffusion, a: 1 + 0.9*sin(9*x)*cos(7*y), f: sin(7*x)*y}
grid: {shape: [301, 283], length: [1, 1]}
boundary: {x-: {value: 0}, y-: {value: 1}, y+: {flux: 0.3}}
solver: {method: cg, preconditioner: multigrid, rtol: 1.0e-3}
""",
    "multigrid_3d": """
problem: {type: diffusion, a: 1 + 100*(abs(x - 0.5) < 0.2)*(abs(z - 0.4) < 0.3), f: sin(7*x)*y}
grid: {shape: [75, 66, 71], length: [1, 1, 1]}
boundary: {x-: {value: 0}, y-: {value: 1}, z+: {flux: 0.3}}
solver: {method: cg, preconditioner: multigrid, norm: max, rtol: 1.0e-3}
""",
    "mixed": """
problem: {type: diffusion, a: 1 + 0.9*sin(9*x), f: sin(7*x)*y, sigma: 1}
grid: {shape: [403, 343], length: [1, 1]}
boundary: {x-: {value: 0}, y-: periodic, y+: periodic}
solver: {method: cg, preconditioner: multigrid, rtol: 1.0e-4, multigrid: {smoother: jacobi, sweeps: 3}}
execution: {precision: mixed}
""",
    "stationary": """
problem: {type: diffusion, a: 1 + x, f: sin(7*x)*y}
grid: {shape: [190, 210], length: [1, 1]}
boundary: {all: {value: 0}}
solver: {method: multigrid, rtol: 1.0e-2, multigrid: {cycle: w, start: full}}
execution: {precision: float32}
""",
    "coloured": """
problem: {type: diffusion, a: 1 + x, f: sin(7*x)*y}
grid: {shape: [211, 190], length: [1, 1]}
boundary: {all: {value: 0}}
solver: {method: cg, preconditioner: multigrid, rtol: 1.0e-2, multigrid: {smoother: red_black}}
""",
    "small": """
problem: {type: diffusion, a: 1 + x*y, f: sin(7*x)*z}
grid: {shape: [22, 17, 19], length: [1, 1, 1]}
boundary: {all: {value: 0}}
solver: {method: cg, preconditioner: multigrid, rtol: 1.0e-4}
""",
    "transforms": """
problem: {type: diffusion, a: 1, f: sin(7*x)*z}
grid: {shape: [64, 48, 40], length: [1, 1, 1]}
boundary: {all: {value: 0}}
solver: {method: multigrid, rtol: 1.0e-8, multigrid: {direct_level: 0}}
""",
    "lines_2d": """
problem: {type: diffusion, a: 1, f: "sin(7*x)*y + exp(-9*x*x)"}
grid: {shape: [240, 200], length: [1, 1]}
boundary: {x-: periodic, x+: periodic, y-: {value: 1}}
solver: {method: cg, preconditioner: multigrid, rtol: 1.0e-4, multigrid: {direct_level: 0}}
execution: {precision: float32}
""",
    "lines_closed": """
problem: {type: diffusion, a: 2, f: "cos(3.141592653589793*x)*cos(6.283185307179586*z)"}
grid: {shape: [36, 40, 30], length: [1, 1, 1]}
solver: {method: cg, preconditioner: multigrid, rtol: 1.0e-6, multigrid: {direct_level: 0}}
""",
    "products_3d": """
problem: {type: diffusion, a: 1, sigma: 0.5, f: "sin(7*x)*z + y*y"}
grid: {shape: [37, 33, 35], length: [1, 1, 1]}
boundary: {x-: {exchange: {coefficient: 2, ambient: 1}}, y+: {value: 0}, z-: periodic, z+: periodic}
solver: {method: cg, preconditioner: multigrid, rtol: 1.0e-8, multigrid: {direct_level: 0}}
execution: {precision: mixed}
""",
    "coarse_lines": """
problem: {type: diffusion, a: 1, f: "sin(0.1*x)*z"}
grid: {shape: [72, 70, 80], spacing: 1.0}
boundary: {x-: {value: 0}, y-: {value: 1}, z+: {flux: 0.3}}
solver: {method: cg, preconditioner: multigrid, rtol: 1.0e-4, multigrid: {direct_level: 1}}
""",
    "few_planes": """
problem: {type: diffusion, a: 1, f: "sin(0.1*x)*z"}
grid: {shape: [18, 124, 124], spacing: 1.0}
boundary: {all: {value: 0}}
solver: {method: multigrid, rtol: 1.0e-4, multigrid: {direct_level: 1, start: full}}
""",
    "products": """
problem: {type: diffusion, a: 1, f: sin(7*x)*y}
grid: {shape: [302, 270], length: [1, 1]}
boundary: {x-: {value: 0}, y-: {value: 1}}
solver: {method: cg, preconditioner: multigrid, rtol: 1.0e-6, multigrid: {direct_level: 1}}
""",
    "steps": """
problem: {type: heat, a: 1 + x, f: 1, initial: x*y}
grid: {shape: [301, 120], length: [1, 1]}
boundary: {x-: {value: 1}, x+: {value: 0}}
time: {method: bdf2, dt: 1.0e-3, end: 2.5e-3, snapshots: [1.0e-3]}
solver: {method: cg, preconditioner: multigrid, rtol: 1.0e-3}
watch: {every_steps: 1, integrals: {whole: {sum: u}}, probes: {one: {x: 0.3, y: 0.7, of: {u: u}}}}
""",
}
IMAGES = {
    "effective": """
problem: {type: effective, a: {file: image.h5, dataset: /image, labels: {0: 0.0, 1: 1.0, 2: 5.0}}, directions: all}
grid: {shape: [30, 28, 33], spacing: 1.0}
output: {fields: [u, flux]}
solver: {rtol: 1.0e-4}
""",
    "without_fields": """
problem: {type: effective, a: {file: image.h5, dataset: /image, labels: {0: 0.0, 1: 1.0, 2: 5.0}}, directions: [y, z], lateral: periodic}
grid: {shape: [30, 28, 33], spacing: 1.0}
output: {fields: []}
solver: {preconditioner: jacobi, rtol: 1.0e-4}
execution: {precision: float32}
""",
    "cell": """
problem: {type: effective, a: {file: image.h5, dataset: /image, labels: {0: 0.1, 1: 1.0, 2: 5.0}}, directions: [z]}
boundary: {all: periodic}
grid: {shape: [30, 28, 33], spacing: 1.0}
solver: {rtol: 1.0e-5}
""",
    "crystals": """
problem: {type: effective, a: {file: image.h5, dataset: /image, labels: {0: 0.0, 1: {x: 1, y: 2, z: 1, xy: 0.5, yz: 0.3}, 2: 5.0}}, directions: [y]}
grid: {shape: [30, 28, 33], spacing: 1.0}
output: {fields: [u, flux]}
solver: {rtol: 1.0e-4}
""",
    "impermeable": """
problem: {type: effective, a: {file: image.h5, dataset: /image, labels: {0: 0.0, 1: 0.0, 2: 5.0}}, directions: [x]}
grid: {shape: [30, 28, 33], spacing: 1.0}
""",
}
LONG = """
problem: {type: heat, a: 1, initial: x}
grid: {shape: [64, 64]}
time: {dt: 1.0e-5, end: 1.0e+3}
"""
