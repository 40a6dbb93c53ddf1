"""The streams that the Go tests converted, in the folder that GEMWIRE_WORK names."""

import json
import os
from dataclasses import dataclass
from pathlib import Path

_work = os.environ.get("GEMWIRE_WORK")
_manifest = Path(_work, "manifest.json") if _work else None


@dataclass(frozen=True)
class Converted:
    """A stream in a form, and the whole answer; is_broken when it ends in an error or is cut."""

    name: str
    is_broken: bool
    stream: bytes
    whole: bytes


def converted_streams(form):
    """Returns the streams in a form; none when nobody has made them."""
    if not _manifest or not _manifest.exists():
        return []
    return [
        Converted(
            entry["name"],
            bool(entry["plain"].get("failure")),
            _read(entry["forms"][form]["stream"]),
            _read(entry["forms"][form]["whole"]),
        )
        for entry in json.loads(_manifest.read_text())["streams"]
        if form in entry["forms"]
    ]


def report(line):
    """Adds a line to the summary, which ../run.sh prints."""
    with Path(_work, "summary.txt").open("a") as summary:
        print(f"python: {line}", file=summary)


def _read(path):
    return Path(_work, path).read_bytes() if path else b""
