"""Processes and servers, timed from outside with as little between as Python allows."""
import json
import os
import select
import signal
import subprocess
import time
from pathlib import Path

from contest import CUT_OFF_S, Failed, TooSlow

KB = 1024


def environment(home):
    """What a program sees: nothing of the user's own settings."""
    keep = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
    return {**keep, "HOME": str(home), "LC_ALL": "C.UTF-8"}


def cut_off(_number, _frame):
    raise TooSlow()


class Command:
    """A process from start to end."""

    def __init__(self, argv, env, stdin=None, output=None):
        self.argv, self.env = [str(a) for a in argv], env
        self.actions = [
            (os.POSIX_SPAWN_OPEN, 0, str(stdin or "/dev/null"), os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, str(output or "/dev/null"),
             os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
            (os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0)]

    def run(self):
        """(seconds, exit status)"""
        started = time.perf_counter()
        pid = os.posix_spawnp(self.argv[0], self.argv, self.env, file_actions=self.actions)
        signal.signal(signal.SIGALRM, cut_off)
        signal.alarm(CUT_OFF_S)
        try:
            status = os.waitpid(pid, 0)[1]
        except TooSlow:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            raise
        finally:
            signal.alarm(0)
        return time.perf_counter() - started, os.waitstatus_to_exitcode(status)


def peak_of(program, env, argv):
    """Bytes that a process had at most; `program` is peak.c."""
    done = subprocess.run([program, *map(str, argv)], env=env, check=False, capture_output=True,
                          text=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise Failed(f"exit status {done.returncode}")
    return int(done.stdout) * KB


class Pipe:
    """A process that answers each line with a line."""

    def __init__(self, argv, env):
        self.started = time.perf_counter()
        to_it, from_it = os.pipe(), os.pipe()
        actions = [(os.POSIX_SPAWN_DUP2, to_it[0], 0), (os.POSIX_SPAWN_DUP2, from_it[1], 1),
                   (os.POSIX_SPAWN_OPEN, 2, "/dev/null", os.O_WRONLY, 0)]
        argv = [str(a) for a in argv]
        self.pid = os.posix_spawnp(argv[0], argv, env, file_actions=actions)
        os.close(to_it[0])
        os.close(from_it[1])
        self.input, self.output = to_it[1], from_it[0]
        self.waiting = select.poll()
        self.waiting.register(self.output, select.POLLIN)
        self.behind = b""  # what came after the last line

    def ask(self, line, most_s=CUT_OFF_S):
        """(answer, seconds)"""
        started = time.perf_counter()
        self.send(line)
        answer = self.line(most_s)
        return answer, time.perf_counter() - started

    def send(self, line):
        view = memoryview(line)
        while view:
            view = view[os.write(self.input, view):]

    def line(self, most_s):
        parts, until = [self.behind], time.monotonic() + most_s
        while b"\n" not in parts[-1]:
            if not self.waiting.poll(max(0, until - time.monotonic()) * 1000):
                raise TooSlow()
            part = os.read(self.output, 1 << 20)
            if not part:
                raise Failed("ended without an answer")
            parts.append(part)
        last, _, self.behind = parts[-1].partition(b"\n")
        return b"".join([*parts[:-1], last])

    def peak_memory(self):
        """Bytes. Not ru_maxrss: that of a child begins with what its parent had."""
        for line in Path(f"/proc/{self.pid}/status").read_text(encoding="ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * KB
        return 0

    def close(self):
        os.close(self.input)
        os.close(self.output)
        if not self.ended(5):
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)

    def ended(self, most_s):
        until = time.monotonic() + most_s
        while time.monotonic() < until:
            if os.waitpid(self.pid, os.WNOHANG)[0]:
                return True
            time.sleep(0.005)
        return False


class Server(Pipe):
    """An MCP server over standard input and output."""

    def __init__(self, argv, env):
        super().__init__(argv, env)
        self.last_id = 0

    def initialize(self):
        """Seconds from the start of the process to this first answer."""
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                    "clientInfo": {"name": "bench", "version": "1"}})
        seconds = time.perf_counter() - self.started
        self.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        return seconds

    def request(self, method, params):
        """(result, seconds, bytes of the answer)"""
        self.last_id += 1
        message = {"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}
        answer, seconds = self.ask(json.dumps(message).encode() + b"\n")
        read = json.loads(answer)
        while read.get("id") != self.last_id:  # what it says unasked
            started = time.perf_counter()
            answer = self.line(CUT_OFF_S)
            seconds += time.perf_counter() - started
            read = json.loads(answer)
        if "result" not in read:
            raise Failed(f"error {read.get('error', {}).get('code')}")
        return read["result"], seconds, len(answer)

    def call(self, tool, arguments):
        """As request(); the result may say isError."""
        return self.request("tools/call", {"name": tool, "arguments": arguments})
