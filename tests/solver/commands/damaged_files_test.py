"""damaged_files_test.py PERDURE: HDF5 files that hold up the HDF5 library, and files that other programs hold. On host threads.

PERDURE_KILLED_PARENTS in the environment: how many runs are killed while their helper spins (default 5)."""

import fcntl
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

import h5py
import numpy as np

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
from processes import wait_until  # noqa: E402

PERDURE = sys.argv.pop()
ROUNDS = int(os.environ.get("PERDURE_KILLED_PARENTS", "5"))
CASE = """
title: an image
problem: {type: diffusion, a: {file: image.h5, dataset: /image, labels: {0: 1.0, 1: 2.0}}}
grid: {shape: [8, 8]}
boundary: {x-: {value: 1.0}, x+: {value: 0.0}}
execution: {backend: host, model: persistent}
"""
STRIPES = np.arange(64, dtype=np.uint8).reshape(8, 8) % 2


def write_image(path):
    with h5py.File(path, "w", libver="earliest") as file:
        file["image"] = STRIPES


def patched(path, position, value):
    with open(path, "rb") as file:
        data = bytearray(file.read())
    data[position(data) : position(data) + 8] = struct.pack("<Q", value(data))
    with open(path, "wb") as file:
        file.write(data)


def root_heap(data):
    """Position and data segment of the local heap that holds the names of the root group."""
    heap = data.find(b"HEAP")
    first_free, segment = struct.unpack_from("<QQ", data, heap + 16)
    return first_free, segment


def free_list_that_leads_to_itself(path):
    write_image(path)
    patched(path, lambda data: sum(root_heap(data)), lambda data: root_heap(data)[0])


def free_list_of_two_blocks_that_leads_back(path):
    write_image(path)
    patched(path, lambda data: sum(root_heap(data)), lambda data: root_heap(data)[0] + 16)
    patched(path, lambda data: sum(root_heap(data)) + 16, lambda data: root_heap(data)[0])
    patched(path, lambda data: sum(root_heap(data)) + 24, lambda data: 16)


def group_that_holds_itself(path):
    """The first name of the root group leads to the root group, whose header follows the superblock."""
    write_image(path)
    patched(path, lambda data: data.find(b"SNOD") + 16, lambda data: 96)


class DamagedFiles(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.image = os.path.join(self.folder, "image.h5")
        self.write_case(CASE)

    def write_case(self, text):
        with open(os.path.join(self.folder, "case.yaml"), "w", encoding="utf-8") as file:
            file.write(text)

    def start(self, *words):
        return subprocess.Popen([PERDURE, *words], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run_perdure(self, *words):
        process = self.start(*words)
        out, err = process.communicate(timeout=120)
        return process.returncode, out, err

    def helpers(self):
        """Helper processes that work in this test's folder."""
        found = []
        for process in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{process}/cmdline", "rb") as words:
                    is_helper = b"--probe-hdf5" in words.read()
                if is_helper and os.path.samefile(f"/proc/{process}/cwd", self.folder):
                    found.append(int(process))
            except OSError:
                pass  # it has ended meanwhile
        return found

    def test_files_that_hold_up_the_library_are_given_up_after_seconds(self):
        for make, words in (
            (free_list_that_leads_to_itself, ("run", "case.yaml")),
            (free_list_of_two_blocks_that_leads_back, ("validate", "case.yaml")),
            (group_that_holds_itself, ("info", "image.h5")),
        ):
            with self.subTest(make=make.__name__, words=words):
                make(self.image)
                self.assertLess(os.path.getsize(self.image), 20000)
                used = os.times().children_user + os.times().children_system
                code, _, err = self.run_perdure(*words)
                used = os.times().children_user + os.times().children_system - used
                self.assertEqual(code, 6, err)
                self.assertIn("image.h5' is damaged", err)
                self.assertLess(used, 6.0)  # 3 s for the helper, the rest for the run
                self.assertEqual(self.helpers(), [])

    def test_a_file_of_a_later_library_can_be_converted(self):
        write_image(self.image)
        with open(self.image, "rb") as file:
            data = file.read()
        layout = re.compile(rb"\x08\x00..[\x00-\x0f]\x00\x00\x00(?P<version>\x03)\x01", re.DOTALL)  # a message of an object header
        self.assertEqual(len(layout.findall(data)), 1)
        place = layout.search(data).start("version")
        superblock = len(b"\x89HDF\r\n\x1a\n")
        for position, words in ((place, ("run", "case.yaml")), (place, ("info", "image.h5")), (superblock, ("run", "case.yaml"))):
            with open(self.image, "wb") as file:
                file.write(data[:position] + b"\x09" + data[position + 1:])
            code, _, err = self.run_perdure(*words)
            self.assertEqual(code, 6, err)
            self.assertRegex(err, r"image.h5' is not readable by HDF5 1\.\d+, the library of perdure: .*version number")
            self.assertIn("h5repack --high=2 'image.h5' NEW.h5", err.replace(self.folder + "/", ""))
            self.assertIn("libver=('earliest', 'v110')", err)
            self.assertNotIn("is damaged:", err)

    def test_no_helper_outlives_its_parent(self):
        free_list_that_leads_to_itself(self.image)
        seen = 0
        for _ in range(ROUNDS):
            process = self.start("run", "case.yaml")
            self.assertTrue(wait_until(self.helpers, process))
            time.sleep(random.uniform(0.0, 0.3))
            seen += len(self.helpers())
            process.kill()
            process.communicate()
            self.assertTrue(wait_until(lambda: not self.helpers(), limit=2.5), "a helper is left")  # of itself it spins for 3 s
        self.assertGreaterEqual(seen, ROUNDS - max(1, ROUNDS // 10))  # it was spinning when its parent was killed

    def test_the_first_signal_is_heard_while_the_helper_spins(self):
        free_list_that_leads_to_itself(self.image)
        for number in (signal.SIGTERM, signal.SIGINT):
            process = self.start("run", "case.yaml")
            self.assertTrue(wait_until(self.helpers, process))
            asked = time.monotonic()
            process.send_signal(number)
            _, err = process.communicate(timeout=60)
            self.assertLess(time.monotonic() - asked, 2.5)  # the helper would spin for 3 s of a processor
            self.assertEqual(process.returncode, 75, err)
            self.assertEqual(self.helpers(), [])

    def test_a_bad_file_costs_a_batch_one_probe_and_one_message(self):
        free_list_that_leads_to_itself(self.image)
        self.write_case(CASE + "sweep: {problem.f: [%s]}\n" % ", ".join(map(str, range(16))))
        began = os.times()
        code, out, err = self.run_perdure("run", "case.yaml")
        used = os.times()
        self.assertEqual(code, 6, err)
        self.assertEqual(err.count("error: problem.a"), 2, err)  # and once how many others
        self.assertEqual(err.count("15 other cases ended with the same error: "), 1, err)
        self.assertIn("case.yaml, 16 of 16", out)
        self.assertLess(used.children_user + used.children_system - began.children_user - began.children_system, 20.0)  # 16 probes of 3 s each: 48

    def test_a_locked_file_is_in_use_and_not_damaged(self):
        write_image(self.image)
        with open(self.image, "rb+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            code, _, err = self.run_perdure("run", "case.yaml")
        self.assertEqual(code, 6, err)
        self.assertRegex(err, r"image.h5' is in use: (process \d+ \(.+\)|another process) has it open for writing; try again")
        self.assertNotIn("damaged", err)
        self.assertEqual(self.run_perdure("run", "case.yaml")[0], 0)

    def test_a_file_that_a_writer_keeps_open_is_in_use(self):
        with h5py.File(self.image, "w", libver="latest", locking=False) as file:
            file["image"] = STRIPES
            file.flush()
            code, _, err = self.run_perdure("run", "case.yaml")
        self.assertEqual(code, 6, err)
        self.assertRegex(err, r"image.h5' is in use(: (process \d+ \(.+\)|another process) has it open for writing| by another program that writes it)")
        self.assertEqual(self.run_perdure("run", "case.yaml")[0], 0)


if __name__ == "__main__":
    unittest.main()
