"""The source files the house tests read."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("ordinances", "office", "billing", "haulers", "intake")


def python() -> list[Path]:
    """Every Python file of the product, without migrations and tests."""
    found = [ROOT / "app.py", *(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))]
    return sorted(path for path in found if "migrations" not in path.parts)


def pages() -> list[Path]:
    """Every template, letter, style sheet and script."""
    kinds = ("*.html", "*.typ", "*.css", "*.js", "*.xml", "*.txt")
    return sorted(path for kind in kinds for folder in ("templates", "static") for path in (ROOT / folder).rglob(kind))


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))
