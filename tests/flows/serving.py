"""The application behind its web server, and browsers that speak HTTP with it: what the race in ``make soak`` measures.

The server starts as ``flask --app app serve --workers 4`` starts it, and the bare page beside it is served and asked
in just the same way. The browsers do as little as they can, because the time they take is counted on both sides.
"""

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from flask import Flask

from tests.flows.racing import PROCESSES

ROOT = Path(__file__).parents[2]
# As `serve` starts each of its processes.
THREADS = 4
PATIENCE = 120
TICKS = os.sysconf("SC_CLK_TCK")


def application() -> Flask:
    """The application of the race, its clock held; tokens of forms are looked at as in service."""
    from office import clock
    from tests import world
    from tests.conftest import make_app

    clock._Clock.held = world.at(os.environ["RACE_AT"])
    return make_app(os.environ["RACE_URL"], PROPAGATE_EXCEPTIONS=False, WTF_CSRF_ENABLED=True)


def bare() -> Flask:
    """The smallest page there is."""
    app = Flask("bare")
    app.add_url_rule("/", "page", lambda: "ok")
    return app


@contextmanager
def served(name: str, url: str = "", at: str = "") -> Iterator[tuple[int, int]]:
    """The port, and the id of the first process, of an application of this module while it is served."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", "--bind", f"127.0.0.1:{port}", "--workers", str(PROCESSES), "--threads",
         str(THREADS), "--keep-alive", str(PATIENCE), "--config", "python:office.worker", "--no-control-socket",
         "--log-level", "error",
         f"tests.flows.serving:{name}()"], cwd=ROOT, env=os.environ | {"RACE_URL": url, "RACE_AT": at},
    )  # fmt: skip
    try:
        _wait_for(port, server)
        yield port, server.pid
    finally:
        server.terminate()
        server.wait(PATIENCE)


def _wait_for(port: int, server: Any) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        browser = Browser(port)
        try:
            browser.get("/healthz")
            return
        except OSError:
            if server.poll() is not None or time.monotonic() > until:
                raise
            time.sleep(0.2)
        finally:
            browser.close()


def worked(pid: int) -> float:
    """Seconds of the processor that the processes of a server have taken so far."""
    ids = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    cells = [Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split() for one in ids]
    return sum(int(one[11]) + int(one[12]) for one in cells) / TICKS


class Answer:
    """What came back, with the names the test client gives it."""

    def __init__(self, status_code: int, headers: dict[str, str], content: bytes) -> None:
        self.status_code, self.headers, self._content = status_code, headers, content

    def get_data(self, *, as_text: bool) -> str:
        assert as_text
        return self._content.decode()


class Browser:
    """One connection kept open, its cookies, and the token of the last form it was shown."""

    def __init__(self, port: int) -> None:
        self.port, self.cookies, self.token = port, dict[str, str](), ""
        self._socket: socket.socket | None = None

    def get(self, path: str) -> Answer:
        return self._ask("GET", path, "")

    def post(self, path: str, data: dict[str, str]) -> Answer:
        return self._ask("POST", path, urlencode(data | {"csrf_token": self.token}))

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _ask(self, method: str, path: str, body: str) -> Answer:
        lines = [f"{method} {path} HTTP/1.1", f"Host: localhost:{self.port}"]
        if self.cookies:
            lines.append("Cookie: " + "; ".join(f"{name}={value}" for name, value in self.cookies.items()))
        if body:
            lines += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
        sent = ("\r\n".join(lines) + f"\r\n\r\n{body}").encode()
        if self._socket is None:
            self._socket = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.sendall(sent)
        answer = self._read(self._socket)
        if found := re.search(rb'name="csrf_token"[^>]* value="([^"]+)"', answer._content):
            self.token = found[1].decode()
        return answer

    def _read(self, one: socket.socket) -> Answer:
        head, content = b"", b""
        while not content and b"\r\n\r\n" not in head:
            head += self._more(one)
        head, _, content = head.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        headers: dict[str, str] = {}
        for line in lines:
            name, _, value = line.partition(": ")
            if name == "Set-Cookie":
                key, _, kept = value.partition(";")[0].partition("=")
                self.cookies[key] = kept
            headers[name] = value
        size = int(headers["Content-Length"])
        while len(content) < size:
            content += self._more(one)
        if headers.get("Connection") == "close":
            self.close()
        return Answer(int(first.split(" ")[1]), headers, content)

    @staticmethod
    def _more(one: socket.socket) -> bytes:
        more = one.recv(1 << 16)
        if not more:
            raise ConnectionError("the server closed the connection")
        return more
