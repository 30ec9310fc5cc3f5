"""hosts_test.py PERDURE MPIRUN: ranks on two hosts, which are network namespaces of this machine with a name, an address and shared memory of
their own. They share files, as hosts of a cluster do. Needs root."""

import os
import shutil
import subprocess
import time
import unittest

import ranks_test

ADDRESSES = ("10.77.138.1", "10.77.138.2")
NAMES = ("perdure_host_1", "perdure_host_2")
# mpirun calls it as it calls ssh. A host may see a folder empty.
AGENT = """#!/bin/bash
host=$1; shift
exec ip netns exec "perdure_host_${{host##*.}}" unshare --mount --uts --ipc bash -c \
    'hostname "$0"; mount -t tmpfs none /dev/shm; [[ $0 == host2 && -d {hidden} ]] && mount -t tmpfs none {hidden}; exec bash -c "$*"' "host${{host##*.}}" "$@"
"""


def ip(*words):
    subprocess.run(["ip", *words], check=True, capture_output=True, text=True)


def remove_hosts():
    for name in NAMES:
        subprocess.run(["ip", "netns", "delete", name], check=False, capture_output=True)


def setUpModule():
    if os.geteuid() != 0 or shutil.which("ip") is None or shutil.which("unshare") is None:
        raise unittest.SkipTest("needs root, ip (iproute2) and unshare")
    remove_hosts()
    unittest.addModuleCleanup(remove_hosts)
    try:
        for name in NAMES:
            ip("netns", "add", name)
        ip("link", "add", "cable1", "netns", NAMES[0], "type", "veth", "peer", "name", "cable2", "netns", NAMES[1])
    except subprocess.CalledProcessError as error:
        raise unittest.SkipTest(f"no network namespaces here: {error.stderr.strip()}") from error
    for number, name in enumerate(NAMES):
        ip("-n", name, "address", "add", f"{ADDRESSES[number]}/24", "dev", f"cable{number + 1}")
        ip("-n", name, "link", "set", f"cable{number + 1}", "up")
        ip("-n", name, "link", "set", "lo", "up")


class TwoHosts(ranks_test.DisturbedRanks):
    """Two ranks on each."""
    RANKS = 4

    def setUp(self):
        super().setUp()
        self.hidden = self.folder / "of_host_1"
        self.agent = self.folder / "agent"
        self.agent.write_text(AGENT.format(hidden=self.hidden), encoding="utf-8")
        self.agent.chmod(0o755)

    def command(self, ranks, *arguments):
        alone = super().command(1, *arguments)
        if ranks == 1:
            return alone
        launcher = [ranks_test.MPIRUN, "--mca", "plm_rsh_agent", str(self.agent), "--host", ",".join(f"{address}:2" for address in ADDRESSES), "-n", str(ranks)]
        return [str(self.agent), ADDRESSES[0], "exec", *launcher, *alone]

    def test_every_value_is_that_of_one_process(self):
        names = ("heat", "cg", "multigrid_3d", "effective")
        self.make_image()
        files = [f"{name}.yaml" for name in names]
        self.expect_success(1, *files, "--output", "one")
        self.expect_success(self.RANKS, *files, "--output", "many")
        self.expect_same("many", names)

    def test_verify(self):
        self.expect_agreement(self.RANKS, "cg", 1)

    def test_a_file_that_one_host_lacks(self):
        self.hidden.mkdir()
        self.make_image()
        shutil.move(self.folder / "image.h5", self.hidden / "image.h5")
        text = ranks_test.IMAGES["effective"].replace("image.h5", "of_host_1/image.h5")
        (self.folder / "lacking.yaml").write_text(text, encoding="utf-8")
        code, _, errors = self.run_to_end(self.RANKS, "lacking.yaml")
        self.assertNotEqual(code, 0)
        self.assertRegex(errors, r"rank [23] .* on host host2\): the data files .*of_host_1/image\.h5' is not there")

    def test_where_the_network_is_cut_all_end(self):
        (self.folder / "long.yaml").write_text(ranks_test.LONG, encoding="utf-8")
        process = self.start(self.RANKS, "long.yaml")
        self.await_start("long")
        ip("-n", NAMES[1], "link", "set", "cable2", "down")
        begin = time.monotonic()
        try:
            while self.processes() and time.monotonic() - begin < 60:
                time.sleep(0.1)
            seconds = time.monotonic() - begin
        finally:
            ip("-n", NAMES[1], "link", "set", "cable2", "up")
        said, errors = process.communicate(timeout=120)
        self.assertLess(seconds, 15)
        self.assertNotEqual(process.returncode, 0)
        self.assertRegex(said + errors, r"rank \d \(process \d+ on host host[12]\): rank \d has given no sign of life for 10 s")


if __name__ == "__main__":
    unittest.main(verbosity=2)
