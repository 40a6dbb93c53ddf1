"""gemwire serve between a client and a fake server, and a witness between the client and it."""

import atexit
import json
import os
import re
import subprocess
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

from recorder import Recorder

# Without the keys of who runs the tests.
ENVIRONMENT = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}


class Program:
    """A program that says where it listens, and the lines that it has printed since."""

    def __init__(self, *command, **variables):
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env=ENVIRONMENT | variables,
        )
        atexit.register(self._process.kill)  # of a test that did not get to close it
        self.lines = []
        self.url = None
        self._has_begun = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._has_begun.wait(30)
        if not self.url:
            self._process.kill()
            raise RuntimeError(f"it does not say where it listens: {self.lines}")

    def _read(self):
        for line in self._process.stderr:
            match = re.search(r"listening (?:on |.*url=)(http:\S+)", line)
            if match and not self.url:
                self.url = match[1]
                self._has_begun.set()
            else:
                self.lines.append(line.rstrip())
        self._has_begun.set()  # also where it ended before

    def close(self):
        """Stops the program, and returns how it ended."""
        self._process.terminate()
        self._reader.join()
        self._process.stderr.close()
        atexit.unregister(self._process.kill)
        return self._process.wait()


class Gateway:
    """
    A gateway. The fake server that is built in answers; with a script or a key one behind it does,
    which knows no other key. A script is a dict, or the text of a YAML file. A flag that is a key
    of files becomes the path of that file. With records, sent has the requests that the fake
    server gets.

    It fails at the end when an answer was not as OpenAI's description has it: the witness holds
    each body and each event to that.
    """

    def __init__(self, *flags, script=None, key=None, files=None, records=False):
        self._folder = tempfile.TemporaryDirectory(prefix="gemwire-clients-")
        files = {name: self._write(name, content) for name, content in (files or {}).items()}
        flags = [files.get(flag, flag) for flag in flags]
        self._fake = self._emulate(script, key) if script or key else None
        self.sent = Recorder(self._fake.url) if records else None
        upstream, variables = (), {}
        if self._fake:
            address = self.sent.url if records else self._fake.url
            upstream = ("--upstream", "gemini", "--base-url", address)
            variables = {"GEMINI_API_KEY": key or "any"}
        command = (os.environ["GEMWIRE_COMMAND"], "serve", "--addr", "127.0.0.1:0")
        self._serve = Program(*command, *upstream, *flags, **variables)
        self._witness = Program(os.environ["GEMWIRE_WITNESS"], self._serve.url)
        self.url = self._witness.url
        self.openai = f"{self.url}/v1"

    def _emulate(self, script, key):
        flags = ["--addr", "127.0.0.1:0", "--verbose"]
        if key:
            flags += ["--key", key]
        if script:
            flags += ["--script", self._write("script.yaml", script)]
        return Program(os.environ["GEMWIRE_COMMAND"], "emulate", *flags)

    def _write(self, name, content):
        """Writes a file that goes with the gateway, and returns its path."""
        path = Path(self._folder.name, name)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return str(path)

    def wait_for_answers(self, count):
        """Waits for just so many answers to clients, such as "POST /v1/responses 200"."""
        return self._requests(self._witness, count)

    def wait_for_requests(self, count):
        """Waits until the fake server has ended just so many, as in "POST /v1beta/... 200 3ms"."""
        return self._requests(self._fake, count)

    def _requests(self, program, count):
        deadline = time.monotonic() + 15
        while True:
            told = [line.removeprefix("gemwire: ") for line in program.lines]
            told = [line for line in told if re.match("(GET|POST|DELETE) ", line)]
            if len(told) >= count or time.monotonic() > deadline:
                assert len(told) == count, told
                return told
            time.sleep(0.02)

    def idle(self):
        """Waits until the gateway answers no request any more."""
        for _ in range(600):
            with urllib.request.urlopen(f"{self.url}/metrics") as answer:
                text = answer.read().decode()
            if not re.search(r"^gemwire_requests_in_flight(\{[^}]*\})? [1-9]", text, re.MULTILINE):
                return
            time.sleep(0.02)
        raise AssertionError("a request goes on")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        is_right = self._witness.close() == 0
        self._serve.close()
        if self.sent:
            self.sent.close()
        if self._fake:
            self._fake.close()
        self._folder.cleanup()
        faults = [line for line in self._witness.lines if not re.match("[A-Z]+ /", line)]
        assert is_right, "\n".join(faults)
