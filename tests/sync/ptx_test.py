"""ptx_test.py NVCC SOURCE: what nvcc makes of sync/atomics_ptx.h, order by order and scope by scope.

A wrong order shows on a GPU seldom or never; in the text it shows always. Every operation stands in a kernel of its own,
whose memory instructions must be exactly the expected ones. Ends with 77 where there is no nvcc.
"""

import itertools
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SCOPES = {"GROUP": "cta", "DEVICE": "gpu", "SYSTEM": "sys"}
ORDERS = ("RELAXED", "ACQUIRE", "RELEASE", "ACQ_REL")
OPERATIONS = {"add": "add.u", "sub": "add.u", "and": "and.b", "or": "or.b", "xor": "xor.b", "min": "min.u", "max": "max.u"}


class Cases:
    """Kernels by name: statement and expected instructions."""

    def __init__(self):
        self.statements, self.expected = {}, {}

    def add(self, name, statement, *instructions):
        self.statements[name] = statement
        self.expected[name] = list(instructions)

    def text(self):
        kernels = "".join(
            f'extern "C" __global__ void {name}(uint32 *word, uint64 *wide, float *real, double *twice, '
            f"uint64 *result, uint32 value) {{ {statement} }}\n"
            for name, statement in self.statements.items()
        )
        return '#include "sync/atomic_float.h"\n' + kernels


def add_words(cases, bits, word):
    for order, (scope, where) in itertools.product(ORDERS, SCOPES.items()):
        how = f"{order.lower()}.{where}.global"
        suffix = f"{bits}_{order}_{scope}"
        arguments = f"ORDER_{order}, SCOPE_{scope}"
        store = f"st.global.b{bits}" if bits == 64 else "st.global.b64"
        if order in ("RELAXED", "ACQUIRE"):
            cases.add(f"load_{suffix}", f"*result = load_uint{bits}({word}, {arguments});", f"ld.{how}.b{bits}", store)
        if order in ("RELAXED", "RELEASE"):
            cases.add(f"store_{suffix}", f"store_uint{bits}({word}, value, {arguments});", f"st.{how}.b{bits}")
        cases.add(f"exchange_{suffix}", f"*result = exchange_uint{bits}({word}, value, {arguments});",
                  f"atom.{how}.exch.b{bits}", store)
        cases.add(f"compare_exchange_{suffix}", f"*result = compare_exchange_uint{bits}({word}, 1, value, {arguments});",
                  f"atom.{how}.cas.b{bits}", store)
        for operation, instruction in OPERATIONS.items():
            cases.add(f"fetch_{operation}_{suffix}", f"*result = fetch_{operation}_uint{bits}({word}, value, {arguments});",
                      f"atom.{how}.{instruction}{bits}", store)
            form = "red" if order in ("RELAXED", "RELEASE") else "atom"
            cases.add(f"{operation}_{suffix}", f"{operation}_uint{bits}({word}, value, {arguments});",
                      f"{form}.{how}.{instruction}{bits}")


def add_sums(cases):
    for order, (scope, where) in itertools.product(ORDERS, SCOPES.items()):
        form = "red" if order in ("RELAXED", "RELEASE") else "atom"
        how = f"{form}.{order.lower()}.{where}.global.add"
        arguments = f"ORDER_{order}, SCOPE_{scope}"
        cases.add(f"float_{order}_{scope}", f"add_float(real, (float)value, {arguments});", f"{how}.f32")
        cases.add(f"double_{order}_{scope}", f"add_double(twice, (double)value, {arguments});", f"{how}.f64")


def add_fences(cases, single_orders):
    """single_orders: the device has fences that only acquire or only release."""
    for order, (scope, where) in itertools.product(ORDERS[1:], SCOPES.items()):
        how = order.lower() if single_orders else "acq_rel"
        cases.add(f"fence_{order}_{scope}", f"fence(ORDER_{order}, SCOPE_{scope});", f"fence.{how}.{where}")
    for scope, where in SCOPES.items():
        poll = f"while (poll_uint32(word, SCOPE_{scope}) == value) {{}} acquire_polled(SCOPE_{scope});"
        if single_orders:
            cases.add(f"poll_{scope}", poll, f"ld.relaxed.{where}.global.b32", f"fence.acquire.{where}")
        else:
            cases.add(f"poll_{scope}", poll, f"ld.acquire.{where}.global.b32")


def instructions_of(ptx):
    """Memory instructions of each kernel, in the order of the text; parameters aside."""
    found = {}
    for name, body in re.findall(r"\.entry (\w+)\((.*?)\n}", ptx, re.DOTALL):
        words = re.findall(r"^\s*(?:@%p\d+\s+)?((?:ld|st|atom|red|fence|membar)\.[\w.]+)", body, re.MULTILINE)
        found[name] = [word for word in words if not word.startswith(("ld.param", "st.param"))]
    return found


def compile_to_ptx(nvcc, source, architecture, text):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        (path / "case.cu").write_text(text)
        command = [nvcc, "-std=c++20", f"-arch={architecture}", "-O3", "-I", source, "-ptx", "-o", "case.ptx", "case.cu"]
        compiled = subprocess.run(command, cwd=path, capture_output=True, text=True)
        if compiled.returncode != 0:
            sys.exit(f"error: nvcc ended with {compiled.returncode}:\n{compiled.stderr}")
        return (path / "case.ptx").read_text()


def untyped(instruction):
    """The types of plain stores differ between versions of nvcc: b64 or u64."""
    return re.sub(r"^st\.global\.[bu]", "st.global.b", instruction)


def check_operations(nvcc, source, architecture, single_orders):
    cases = Cases()
    add_words(cases, 32, "word")
    add_words(cases, 64, "wide")
    add_sums(cases)
    add_fences(cases, single_orders)
    found = instructions_of(compile_to_ptx(nvcc, source, architecture, cases.text()))
    wrong = 0
    for name, expected in cases.expected.items():
        actual = [untyped(instruction) for instruction in found.get(name, ["no kernel"])]
        if actual != expected:
            wrong += 1
            print(f"error: {architecture}: {cases.statements[name]}\n  expected {expected}\n  found    {actual}")
    print(f"{architecture}: {len(cases.expected)} operations, {wrong} wrong")
    return wrong


def check_barrier(nvcc, source, architecture, single_orders):
    """The group leader's barrier arrives by one `red.release.gpu` and leaves by an acquire behind its polls."""
    text = ('#include "sync/grid_barrier.h"\n'
            'extern "C" __global__ void barrier(grid_sync_t *sync, uint64 limit) {\n'
            "    __shared__ uint32 verdict;\n"
            "    grid_barrier_t state = make_grid_barrier(BARRIER_GROUP_LEADER, sync, &verdict, limit);\n"
            "    grid_barrier(&state, 1u);\n}\n")
    found = instructions_of(compile_to_ptx(nvcc, source, architecture, text))["barrier"]
    poll = "ld.relaxed.gpu.global.b32" if single_orders else "ld.acquire.gpu.global.b32"
    expected = ["ld.relaxed.gpu.global.b32", "red.release.gpu.global.add.u32", poll]
    right = found[:3] == expected and found.count("fence.acquire.gpu") == (1 if single_orders else 0)
    right = right and not any(word.startswith(("fence.sc", "membar", "fence.acq_rel")) for word in found)
    print(f"{architecture}: barrier {'right' if right else 'WRONG'}: {' '.join(found)}")
    return 0 if right else 1


def main():
    nvcc, source = sys.argv[1:3]
    if shutil.which(nvcc) is None:
        print("no nvcc: the text that it makes cannot be looked at")
        return 77
    version = subprocess.run([nvcc, "--version"], check=True, capture_output=True, text=True).stdout
    major = int(re.search(r"release (\d+)\.", version).group(1))
    wrong = 0
    for architecture in ("sm_75", "sm_90"):
        single_orders = architecture == "sm_90" and major >= 13
        wrong += check_operations(nvcc, source, architecture, single_orders)
        wrong += check_barrier(nvcc, source, architecture, single_orders)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
