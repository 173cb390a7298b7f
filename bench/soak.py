"""``make soak``: the long tests with their full numbers, resumable, each part on both databases.

A part that passed at this commit is not run again. Seed, count and time of each go to bench/soak.txt.
"""

import json
import os
import random
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

HERE = Path(__file__).parent
EXAMPLES = 10_000
CHANGED = "+changes"
# A part that measures writes what it found here.
REPORT = HERE / "out" / "report.txt"
# Pure rules know no database, so one engine is enough for them.
PARTS = (
    ("rules", "tests/ordinances", ("sqlite",)),
    ("ledger", "tests/billing", ("sqlite", "postgresql")),
    ("haulers", "tests/haulers", ("sqlite", "postgresql")),
    ("races", "tests/flows/test_races.py", ("sqlite", "postgresql")),
    ("full week", "tests/flows/test_full_week.py", ("sqlite", "postgresql")),
    ("full week served", "tests/flows/served_week.py", ("sqlite", "postgresql")),
    ("random weeks", "tests/flows/test_weeks.py", ("sqlite", "postgresql")),
    ("weeks of points", "tests/flows/test_points_weeks.py", ("sqlite", "postgresql")),
    ("weeks of a tank", "tests/flows/test_tank_weeks.py", ("sqlite", "postgresql")),
    ("lock order", "tests/flows/test_locks.py", ("sqlite", "postgresql")),
    ("tamper", "tests/flows/test_tamper.py", ("sqlite", "postgresql")),
    ("law in force", "tests/flows/test_law_kept.py", ("sqlite", "postgresql")),
    ("walls", "tests/flows/test_walls.py", ("sqlite", "postgresql")),
    ("forms", "tests/flows/test_forms.py", ("sqlite", "postgresql")),
    ("links", "tests/flows/test_links.py", ("sqlite", "postgresql")),
    ("upgrade", "tests/flows/test_upgrade.py", ("sqlite", "postgresql")),
    ("law seen", "tests/house", ("sqlite", "postgresql")),
    ("office", "tests/office", ("sqlite", "postgresql")),
    ("intake", "tests/intake", ("sqlite", "postgresql")),
)


def commit() -> str:
    """The commit this runs on, marked when files have changed since; the report this writes is no change."""
    head = subprocess.run(["git", "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True, check=True)
    ask = ["git", "status", "--porcelain", "--", ":/", ":(top,exclude)bench/soak.txt"]
    dirty = subprocess.run(ask, capture_output=True, text=True, check=True)
    return head.stdout.strip() + (CHANGED if dirty.stdout.strip() else "")


def run(path: str, engine: str, seed: int) -> tuple[bool, float]:
    """One part on one engine; whether it passed, and its seconds."""
    started = time.monotonic()
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--engine", engine, f"--hypothesis-seed={seed}", path]
    given = {"SEPTAGE_EXAMPLES": str(EXAMPLES), "SEPTAGE_REPORT": str(REPORT)}
    done = subprocess.run(command, env=os.environ | given, check=False)
    return done.returncode == 0, time.monotonic() - started


def measured() -> str:
    """What the part just run has measured, printed once; "" where it measures nothing."""
    if not REPORT.exists():
        return ""
    words = "; ".join(REPORT.read_text(encoding="utf-8").splitlines())
    REPORT.unlink()
    print(words, flush=True)
    return f"; {words}"


def main() -> None:
    """Run every part that has not passed at this commit."""
    now, kept = commit(), HERE / "out" / "soak.json"
    kept.parent.mkdir(exist_ok=True)
    passed = json.loads(kept.read_text()) if kept.exists() else {}
    for name, path, engines in PARTS:
        for engine in engines:
            # Changed files have no name: what passed with some says nothing of others.
            if passed.get(f"{name} {engine}") == now and not now.endswith(CHANGED):
                continue
            seed = random.SystemRandom().randrange(2**31)
            print(f"{name} on {engine}: {EXAMPLES} examples a property, seed {seed}", flush=True)
            good, seconds = run(path, engine, seed)
            line = f"{now} {datetime.now(UTC):%Y-%m-%d} {name} {engine} examples {EXAMPLES} seed {seed} "
            with (HERE / "soak.txt").open("a", encoding="utf-8") as file:
                file.write(line + f"{'passed' if good else 'FAILED'} in {seconds:.0f} s{measured()}\n")
            if not good:
                sys.exit(1)
            passed[f"{name} {engine}"] = now
            kept.write_text(json.dumps(passed))
    print("soak: everything passed; see bench/soak.txt")


if __name__ == "__main__":
    main()
