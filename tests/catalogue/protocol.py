"""A43 to A48, A57 to A60: what comes in, what goes out, the process around it."""
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from lab import CHANGES, EVERY, READS, Lab, Server, check, equal, has, need

PING = {"jsonrpc": "2.0", "id": "after", "method": "ping"}


def pong(server):
    """It is still there, and nothing else is on its way."""
    server.write(json.dumps(PING) + "\n")
    equal(server.hear(), {"jsonrpc": "2.0", "id": "after", "result": {}}, "the ping after it")


def error_code(answer):
    return answer.get("error", {}).get("code")


# ---- JSON ---------------------------------------------------------------------------------------


def deep_json():
    with Lab() as lab, Server(lab) as server:
        for depth, way in ((65, "["), (2000, "["), (100000, '{"a":'), (1000000, "[")):
            end = {"[": "]", '{"a":': "}"}[way]
            line = way * depth + ("1" if way != "[" else "") + end * depth
            for text in (line, '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"x":' + line + "}}"):
                server.write(text + "\n")
                answer = server.hear()
                equal(error_code(answer), -32700, f"depth {depth}")
                has("nested", answer["error"]["message"], f"depth {depth}")
            server.write(way * depth + "\n")
            equal(error_code(server.hear()), -32700, f"depth {depth}, and no end")
        inner = "[" * 50 + "]" * 50  # deep, and not too deep
        server.write('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"x":' + inner + "}}}\n")
        equal(server.hear()["result"], {}, "within the limit")
        check(server.memory_kb() < 100000, f"{server.memory_kb()} kB")
        status, _, err = lab.run("call", *lab.where(), "file_edit", stdin="[" * 1000000)
        equal(status, 2, err.decode())


def strict_json():
    rows = [
        ('{"jsonrpc":"2.0","id":1,"id":1,"method":"ping"}', -32700),
        ('{"jsonrpc":"2.0","id":1,"method":"ping","x":"\\ud800"}', -32700),
        ('{"jsonrpc":"2.0","id":1,"method":"ping","x":"\\udc00\\ud800"}', -32700),
        ('{"jsonrpc":"2.0","id":1,"method":"ping","x":"\\x41"}', -32700),
        ('{"jsonrpc":"2.0","id":1,"method":"ping","x":"\\u12"}', -32700),
        ('{"jsonrpc":"2.0","id":1,"method":"ping","x":01}', -32700),
        ('{"jsonrpc":"2.0","id":1,"method":"ping","x":.5}', -32700),
        ('{"jsonrpc":"2.0","id":1,"method":"ping","x":NaN}', -32700),
        ('{"jsonrpc":"2.0","id":1,"method":"ping","x":1,}', -32700),
        ("{'jsonrpc':'2.0'}", -32700),
        ('{"jsonrpc":"2.0","id":1e999,"method":"ping"}', -32600),
        ('{"jsonrpc":"2.0","id":9223372036854775808,"method":"ping"}', -32600),
        ('{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600),
        ('{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600),
    ]
    with Lab() as lab, Server(lab) as server:
        for line, wanted in rows:
            server.write(line + "\n")
            equal(error_code(server.hear()), wanted, line)
        server.write(b'{"jsonrpc":"2.0","id":1,"method":"ping","x":"\xff"}\n')
        equal(error_code(server.hear()), -32700, "no UTF-8")
        for ident in ("9223372036854775807", "-9223372036854775808", "-0", "0", '"\\u0000"', '"\\ud83d\\ude00"',
                      '"x"'):
            server.write('{"jsonrpc":"2.0","id":' + ident + ',"method":"ping"}\n')
            answer = server.line().decode()
            equal(json.loads(answer)["id"], json.loads(ident), "id")
        for number in ("1e999", "-99999999999999999999", "1e400"):
            server.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file",'
                         '"arguments":{"file_path":"a.txt","start_line":' + number + "}}}\n")
            check(server.hear()["result"]["isError"], number)
        pong(server)


def messages():
    with Lab() as lab, Server(lab) as server:
        for line, wanted in (("[]", -32600), ('[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600),
                             ('{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600)):
            server.write(line + "\n")
            equal(error_code(server.hear()), wanted, line)
        before = lab.tree()
        server.write(json.dumps({"jsonrpc": "2.0", "method": "tools/call", "params": {
            "name": "file_edit", "arguments": CHANGES["file_edit"]("a.txt")}}) + "\n")
        pong(server)
        lab.same(before, "a call without an id")
        flood = (json.dumps({"jsonrpc": "2.0", "method": "notifications/x", "params": {"x": "y" * 900}})
                 + "\n").encode() * 1000
        for _ in range(40):  # 40 MB
            server.write(flood)
        pong(server)
        check(server.memory_kb("VmHWM") < 64 << 10, f"{server.memory_kb('VmHWM')} kB at most")
    with Lab() as lab, Server(lab, handshake=False) as server:
        server.ask("initialize", {"protocolVersion": "2025-03-26", "capabilities": {}})
        server.write('[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"x"},7]\n')
        equal([error_code(a) for a in server.hear()], [None, -32600], "a batch where there are some")


def long_messages():
    """Longer than the limit, or without an end: refused, and the next line is read again."""
    with Lab() as lab, Server(lab, "--max-message-size", "1M") as server:
        for size in ((1 << 20) + 1, 20 << 20):
            server.write('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"')
            for _ in range(size // (1 << 16)):
                server.write(b"x" * (1 << 16))
            server.write(b"x" * (size % (1 << 16)) + b'"}}\n')
            answer = server.hear()
            equal(error_code(answer), -32600, str(size))
            has("1048576", answer["error"]["message"], "the limit")
            pong(server)
        server.write(json.dumps({**PING, "params": {"_meta": {"x": "y" * ((1 << 20) - 200)}}}) + "\n")
        equal(server.hear()["result"], {}, "just within the limit")
    with Lab() as lab, Server(lab) as server:  # as it comes: an end that never comes
        for _ in range(400 << 4):  # 400 MB
            server.write(b"x" * (1 << 16))
        check(server.memory_kb() < 400 << 10, f"{server.memory_kb()} kB held")
        server.write(b"\n")
        equal(error_code(server.hear()), -32600, "the end after all")
        pong(server)
    with Lab() as lab:
        lines = b"x" * (3 << 20) + b"\n" + json.dumps(
            {"id": 2, "tool": "read_file", "arguments": {"file_path": "a.txt"}}).encode() + b"\n"
        status, out, err = lab.run("batch", *lab.where(), "--max-message-size", "1M", stdin=lines)
        answers = [json.loads(line) for line in out.splitlines()]
        equal([a["isError"] for a in answers], [True, False], err.decode())
        equal(status, 1, "status")


def cut_off():
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "file_edit", "arguments": CHANGES["file_edit"]("a.txt")}})
    with Lab() as lab:
        before = lab.tree()
        for length in (1, len(line) // 2, len(line) - 1):
            with Server(lab) as server:
                server.write(line[:length])
                equal(server.end(), 0, "exit status")
            lab.same(before, f"{length} bytes of a request")
        call = json.dumps({"id": 1, "tool": "file_edit", "arguments": CHANGES["file_edit"]("a.txt")})
        status, _, _ = lab.run("batch", *lab.where(), stdin=call[:-3])
        equal(status, 1, "a cut line of a batch")
        lab.same(before, "a cut line of a batch")
    with Lab() as lab:  # nobody reads the answers
        for words, stdin in ((["mcp"], (json.dumps(PING) + "\n") * 20000),
                             (["call", "read_file"], json.dumps({"file_path": "big.txt"})),
                             (["batch"], (json.dumps({"id": 1, "tool": "read_file",
                                                      "arguments": {"file_path": "big.txt"}}) + "\n") * 50)):
            lab.put("big.txt", "x" * 300000)
            process = lab.start(*words[:1], *lab.where(), *words[1:], stderr=subprocess.DEVNULL)
            process.stdout.close()
            try:
                process.stdin.write(stdin.encode())
                process.stdin.close()
            except BrokenPipeError:
                pass
            process.stdin = None
            status = process.wait(20)
            ends = (0, 1, 2, -13) if words[0] == "call" else (0, 1, 2)  # as cat(1) would
            check(status in ends, f"{words}: ended with {status}")


def one_line():
    """Whatever is in a file or a name, an answer is one line and one message."""
    nasty = 'x\n{"jsonrpc":"2.0","id":7,"result":{}}\r\n\u2028\u2029\u0085"\\\u0007\u001b[2J one'
    with Lab() as lab:
        lab.put("a.txt", nasty)
        lab.put('n\n"{}.txt', nasty)
        with Server(lab) as server:
            for tool, arguments in EVERY.items():
                for name in ("a.txt", 'n\n"{}.txt', 'no\nsuch"\u2028.txt'):
                    server.last += 1
                    server.write(json.dumps({"jsonrpc": "2.0", "id": server.last, "method": "tools/call",
                                             "params": {"name": tool.split()[0],
                                                        "arguments": arguments(name)}}) + "\n")
                    line = server.line()
                    equal(json.loads(line)["id"], server.last, f"{tool} {name!r}")
                    check(all(byte >= 0x20 for byte in line[:-1]), f"{tool}: control bytes in a message")
            pong(server)
        for tool, arguments in EVERY.items():
            answer = lab.call(tool, arguments("a.txt"))
            check(isinstance(answer.text, str), tool)


# ---- What is denied -----------------------------------------------------------------------------


def denied_hints():
    """A denied file, one that is not there, and a folder that is not there: the same answer; and nothing
    of its content, its hash or its size in any answer."""
    words = ["XYZZY", "PLUGH"]
    with Lab("--deny", "secret/", "--deny", "*.key") as lab:
        lab.put("secret/a.txt", f"one {words[0]}\n")
        lab.put("my.key", f"one {words[1]}\n")
        lab.put("near.txt", "on\n")
        (lab.root / "to-secret").symlink_to("secret/a.txt")
        (lab.root / "to-nothing").symlink_to("secret/b.txt")
        for tool, arguments in EVERY.items():
            answers = []
            for name in ("secret/a.txt", "secret/b.txt", "secret/c/d.txt", "secret", "my.key", "no.key",
                         "x/no.key", "to-secret", "to-nothing", "my.key/x", "no.key/x"):
                before = lab.tree()
                answer = lab.call(tool, arguments(name))
                check(answer.is_error and answer.is_kind("denied"), f"{tool} {name}: {answer.text[:200]}")
                check(not any(word in answer.text for word in words), f"{tool} {name}: its content")
                lab.same(before, f"{tool} {name}")
                answers.append(_without_name(answer.text, name))
            equal(len(set(answers[:3])), 1, f"{tool}: {set(answers[:3])}")
            equal(len(set(answers[4:7])), 1, f"{tool}: {set(answers[4:7])}")
        for path in ("secret/../a.txt", "nothing/../a.txt"):  # through a folder that is denied
            answer = lab.call("read_file", {"file_path": path})
            check(answer.is_error, f"{path}: {answer.text}")
        for tool, arguments in READS.items():  # hints of near names name no denied ones
            answer = lab.call(tool, arguments("my.kex"))
            check("my.key" not in answer.text, answer.text)


def _without_name(text, name):
    result = json.loads(text) if text.startswith("{") else text
    if isinstance(result, dict):
        result.pop("context", None)
        result.pop("stats", None)
        text = json.dumps(result)
    return text.replace(name, "NAME")


# ---- The process --------------------------------------------------------------------------------


def environment():
    """Nothing is written where HOME or TMPDIR alone would lead, and no shell is run."""
    need("strace")
    with Lab() as lab:
        hostile = {"HOME": str(lab.outside), "TMPDIR": str(lab.outside), "PATH": str(lab.outside),
                   "IFS": "/", "BASH_ENV": str(lab.outside / "x"), "XDG_STATE_HOME": "relative/../..",
                   "LANG": "../../x", "LC_ALL": "tr_TR.UTF-8", "TZ": "../../../etc/passwd",
                   "GCONV_PATH": str(lab.outside), "SQLITE_TMPDIR": str(lab.outside)}
        before = lab.tree()
        trace = lab.base / "state" / "trace"
        done = subprocess.run([shutil.which("strace"), "-f", "-e", "trace=execve,execveat,fork,vfork", "-o", trace,
                               lab.emend, "call", *lab.where(), "file_edit"],
                              input=json.dumps(CHANGES["file_edit"]("a.txt")), env=hostile, text=True,
                              capture_output=True, cwd=lab.root, check=False)
        equal(done.returncode, 0, done.stdout + done.stderr)
        equal(trace.read_text().count("execve"), 1, "programs that were run")
        equal(lab.read("a.txt"), b"two\n", "the change")
        lab.put("a.txt")
        after = lab.tree()
        equal({k: v for k, v in after.items() if k.startswith("out")},
              {k: v for k, v in before.items() if k.startswith("out")}, "outside")
        hostile["HOME"] = "../.."  # not absolute: not taken
        del hostile["XDG_STATE_HOME"]
        hostile["TMPDIR"] = "x/../../.."
        status, out, err = lab.run("call", "--root", lab.root, "file_edit", env=hostile,
                                   stdin=json.dumps(CHANGES["file_edit"]("a.txt")))
        equal(status, 0, f"{out} {err}")
        has("state directory", out.decode(), "the warning")
        equal({k for k in lab.tree()}, {k for k in after}, "where it was made")


def descriptors():
    """Started with 0, 1 and 2 closed, or with more open than it should: nothing is written into what took
    their place, and nothing is left open."""
    with Lab() as lab:
        for closed in ((0,), (1,), (2,), (0, 1), (0, 1, 2)):
            lab.put("a.txt")
            arguments = lab.put("arguments", json.dumps(CHANGES["file_edit"]("a.txt")))
            process = subprocess.Popen(
                [lab.emend, "call", *lab.where(), "file_edit", str(arguments)],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                preexec_fn=lambda closed=closed: [os.close(fd) for fd in closed])
            status = process.wait(20)
            check(status in (0, 2), f"closed {closed}: {status}")
            check(lab.read("a.txt") in (b"one\n", b"two\n"), f"closed {closed}: {lab.read('a.txt')!r}")
            (lab.root / "arguments").unlink()
            lab.no_strays()
        with Server(lab) as server:
            for i in range(50):
                lab.put("b.txt")
                server.call("file_edit", CHANGES["file_edit"]("b.txt"))
                server.call("file_edit", CHANGES["file_edit"](f"nothing{i}.txt"))
            time.sleep(0.1)
            held = len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))
            server.call("file_edit", CHANGES["file_edit"]("a.txt"))
            flags = [Path(f"/proc/{server.process.pid}/fdinfo/{fd}").read_text()
                     for fd in os.listdir(f"/proc/{server.process.pid}/fdinfo") if int(fd) > 2]
            for text in flags:
                mode = int(text.split("flags:")[1].split()[0], 8)
                check(mode & os.O_CLOEXEC, f"a descriptor that a program would inherit: {text}")
            check(held < 100, f"{held} descriptors are held")


def large_workspace(files=1000000, depth=1500):
    """Many files, folders within folders: no walk over all of it, no recursion."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as base:
        Path(base).chmod(0o755)
        with Lab(base=base) as lab:
            many = lab.root / "many"
            many.mkdir()
            for i in range(files):
                os.close(os.open(many / f"{i}.txt", os.O_CREAT | os.O_WRONLY))
            lab.put("many/one.txt")
            start = time.monotonic()
            lab.edited("many/one.txt")
            answer = lab.call("file_edit", CHANGES["file_edit"]("many/nothing.txt"))
            check(answer.is_kind("missing"), answer.text)
            took = time.monotonic() - start
            check(took < 2, f"among {files} files: {took:.1f} s")
            os.chdir(lab.root)
            for _ in range(depth):
                os.mkdir("d")
                os.chdir("d")
            Path("a.txt").write_text("one\n")
            os.chdir("/")
            path = "d/" * depth + "a.txt"
            answer = lab.call("file_edit", CHANGES["file_edit"](path))
            check(not answer.is_error, answer.text[:300])
            os.chdir(lab.root / ("d/" * depth))
            for _ in range(4000):  # beyond what any path can name
                os.mkdir("d")
                os.chdir("d")
            Path("a.txt").write_text("one\n")
            done = subprocess.run([lab.emend, "edit", "a.txt", "--old", "one", "--new", "two",
                                   "--state-dir", str(lab.state)], capture_output=True, check=False)
            check(done.returncode in (0, 1, 2), done)
            os.chdir("/")
            subprocess.run(["rm", "-rf", lab.root], check=True)
            lab.end()


def small_workspace():
    large_workspace(files=20000, depth=300)
