"""A real server on a real port and a real Chromium, for tests that use the application as people do."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests import world
from tests.machine import chromium

ROOT = Path(__file__).parents[2]
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--disable-quic", "--no-first-run"]  # fmt: skip
# How Chromium names a server that went away: before, while or after the request was sent.
CUT_OFF = re.compile(r"net::ERR_(CONNECTION|SOCKET_NOT_CONNECTED|EMPTY_RESPONSE)")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def browser() -> Iterator[Browser]:
    """Debian's Chromium, headless."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield running
        running.close()


class Site:
    """The server, started and stopped with its clock set; the database outlives it."""

    def __init__(self, url: str, **env: str) -> None:
        self.database, self.env, self.port = url, env, free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://localhost:{self.port}"

    def _env(self, clock: str) -> dict[str, str]:
        own = {
            "DATABASE_URL": self.database, "SEPTAGE_CLOCK": clock, "SECRET_KEY": "browser-tests-0123456789-abcdefghij",
            "PORT": str(self.port), "SEPTAGE_URL": self.address,
        }  # fmt: skip
        return os.environ | own | self.env

    def start(self, clock: str, workers: int = 1) -> None:
        """Start at a plant-local instant, after stopping what ran."""
        self.stop()
        command = [sys.executable, "-m", "gunicorn", "--bind", f"127.0.0.1:{self.port}", "--workers", str(workers),
                   "--no-control-socket", "--log-level", "error", "app:create_app()"]  # fmt: skip
        self.process = subprocess.Popen(command, cwd=ROOT, env=self._env(clock))
        for _ in range(200):
            try:
                if urllib.request.urlopen(f"{self.address}/healthz", timeout=2).status == 200:
                    return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError("the server did not start")

    def tick(self, clock: str) -> None:
        """Run the jobs once at a plant-local instant."""
        at = world.at(clock).isoformat()
        command = [sys.executable, "-m", "flask", "--app", "app", "jobs", "tick", "--at", at]
        subprocess.run(command, cwd=ROOT, env=self._env(clock), check=True, stdout=subprocess.DEVNULL)

    def command(self, *words: str) -> str:
        """A flask command on this site's database; its output."""
        command = [sys.executable, "-m", "flask", "--app", "app", *words]
        done = subprocess.run(command, cwd=ROOT, env=self._env(""), check=True, capture_output=True, text=True)
        return done.stdout

    def stop(self) -> None:
        """Stop the server; what was answered stays."""
        if self.process is not None:
            self.process.send_signal(signal.SIGTERM)
            # Its workers have half a minute to end what they answer.
            self.process.wait(timeout=60)
            self.process = None


class Person:
    """One person at a browser of their own."""

    def __init__(self, running: Browser, site: Site, email: str | None, password: str = world.PASSWORD,
                 width: int = 1280, height: int = 900, *, script: bool = True) -> None:  # fmt: skip
        self.context = running.new_context(viewport={"width": width, "height": height}, java_script_enabled=script)
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(10_000)
        self.site, self.email, self.password = site, email, password
        self.trouble: list[str] = []
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda e: self.trouble.append(str(e)))

    def _heard(self, message: Any) -> None:
        # Chromium logs a form answered with its errors (422) as a failed load, and whatever it was fetching while the
        # test itself stopped the server; every other console error is trouble.
        if message.type == "error" and "422" not in message.text and not CUT_OFF.search(message.text):
            self.trouble.append(message.text)

    def go(self, path: str) -> "Person":
        self.page.goto(self.site.address + path)
        return self

    def sign_in(self) -> "Person":
        self.go("/sign-in")
        self.fill("E-mail", self.email or "")
        self.fill("Password", self.password)
        self.press("Sign in")
        return self

    def tell(self) -> str:
        """Where this person is and what they read, for a failed test."""
        return f"{self.page.url}: {self.text}"

    def fill(self, label: str, value: str, nth: int = 0) -> "Person":
        self.page.locator("main").get_by_label(label).nth(nth).fill(value)
        return self

    def choose(self, label: str, nth: int = 0) -> "Person":
        self.page.locator("main label", has_text=label).nth(nth).click()
        return self

    def date3(self, legend: str, day: str) -> "Person":
        year, month, number = day.split("-")
        group = self.page.get_by_role("group", name=legend)
        for name, value in (("Month", month), ("Day", number), ("Year", year)):
            group.get_by_label(name, exact=True).fill(str(int(value)))
        return self

    def press(self, name: str) -> "Person":
        with self.page.expect_navigation():
            self.page.locator("main").get_by_role("button", name=name, exact=True).first.click()
        return self

    def follow(self, name: str) -> "Person":
        with self.page.expect_navigation():
            self.page.get_by_role("link", name=name).first.click()
        return self

    @property
    def text(self) -> str:
        return " ".join(self.page.locator("body").inner_text().split())

    @property
    def heading(self) -> str:
        return self.page.locator("h1").inner_text()

    def fetch(self, path: str) -> Any:
        """The answer to a GET with this person's session (downloads)."""
        return self.context.request.get(self.site.address + path)
