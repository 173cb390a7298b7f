"""What the tests need of the machine: Chromium and PostgreSQL, installed when they can be and named when they cannot.

``python -m tests.machine`` is run by ``make test`` first.
"""

import atexit
import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PACKAGES = {"chromium": "chromium", "postgresql": "postgresql"}


def binaries() -> Path | None:
    """The folder of PostgreSQL's server programs, newest version first."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: int(p.parts[4]), reverse=True)
    if found:
        return found[0].parent
    initdb = shutil.which("initdb")
    return Path(initdb).parent if initdb else None


def chromium() -> str | None:
    """The path of Debian's Chromium."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def missing() -> list[str]:
    """Debian packages that are not here yet."""
    return [name for name, there in (("chromium", chromium()), ("postgresql", binaries())) if there is None]


def ensure() -> None:
    """Install what is missing when this is Debian and we are root (or may sudo); otherwise name it and stop."""
    wanted = missing()
    if not wanted:
        return
    command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *wanted]
    prefix = [] if os.geteuid() == 0 else (["sudo", "-n"] if shutil.which("sudo") else None)
    if shutil.which("apt-get") and prefix is not None:
        env = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
        subprocess.run([*prefix, "apt-get", "update", "-qq"], check=False, env=env)
        subprocess.run([*prefix, *command], check=False, env=env, stdout=subprocess.DEVNULL)
    if missing():
        sys.exit(
            f"The tests need these Debian packages, which could not be installed here: {', '.join(missing())}.\n"
            f"Install them with: apt-get install {' '.join(missing())}"
        )


def fast_folder(prefix: str) -> Path:
    """A new folder for scratch databases, in memory where the machine has room there (a database a test is copied)."""
    memory = Path("/dev/shm")
    roomy = memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 2 * 1024**3
    return Path(tempfile.mkdtemp(prefix=prefix, dir=memory if roomy else None))


class PostgreSQL:
    """A PostgreSQL server of our own in a folder of its own, under the postgres account when we are root."""

    def __init__(self) -> None:
        found = binaries()
        if found is None:
            raise RuntimeError("PostgreSQL is not installed; run make test, or apt-get install postgresql")
        self.bin = found
        self.folder = fast_folder("septage-pg-")
        # initdb refuses root, so every parent must be open to the account that runs it.
        self.folder.chmod(0o755)
        self.data = self.folder / "data"
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self._start()

    def _run(self, *command: str) -> None:
        subprocess.run([*self._as(), *command], check=True, cwd="/", stdout=subprocess.DEVNULL)

    def _as(self) -> list[str]:
        return ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] if os.geteuid() == 0 else []

    def _start(self) -> None:
        if os.geteuid() == 0:
            account = pwd.getpwnam("postgres")
            os.chown(self.folder, account.pw_uid, account.pw_gid)
        self._run(str(self.bin / "initdb"), "-D", str(self.data), "-A", "trust", "-U", "postgres", "-E", "UTF8",
                  "--no-sync", "--locale=C.UTF-8")  # fmt: skip
        options = (f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 -c fsync=off "
                   "-c synchronous_commit=off -c full_page_writes=off -c max_connections=200 "
                   "-c autovacuum=off -c checkpoint_timeout=1h -c max_wal_size=2GB")  # fmt: skip
        self._run(str(self.bin / "pg_ctl"), "-D", str(self.data), "-o", options, "-w", "-s",
                  "-l", str(self.folder / "log"), "start")  # fmt: skip
        atexit.register(self.stop)

    def url(self, name: str) -> str:
        return f"postgresql+psycopg://postgres@127.0.0.1:{self.port}/{name}"

    def sql(self, text: str) -> None:
        import psycopg

        with psycopg.connect(f"host=127.0.0.1 port={self.port} user=postgres dbname=postgres", autocommit=True) as c:
            c.execute(text)  # type: ignore[arg-type]

    def create(self, name: str, like: str | None = None) -> None:
        for _ in range(50):
            try:
                self.sql(f'CREATE DATABASE "{name}"' + (f' TEMPLATE "{like}" STRATEGY FILE_COPY' if like else ""))
                return
            except Exception as error:
                if "being accessed" not in str(error):
                    raise
                time.sleep(0.1)
        raise RuntimeError(f"the template {like} stays in use")

    def drop(self, name: str) -> None:
        self.sql(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')

    def stop(self) -> None:
        if self.data.exists():
            subprocess.run([*self._as(), str(self.bin / "pg_ctl"), "-D", str(self.data), "-m", "immediate", "stop"],
                           check=False, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
            shutil.rmtree(self.folder, ignore_errors=True)


def postgresql() -> PostgreSQL:
    """Start a server for this test run; it is stopped and removed at the end."""
    return PostgreSQL()


if __name__ == "__main__":
    ensure()
