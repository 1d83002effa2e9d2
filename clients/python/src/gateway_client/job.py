"""A job that runs."""

from __future__ import annotations

import json
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from .functions import FunctionServer
from .program import LauncherError, Program
from .rollouts import Group, read_groups

#: Between two looks for groups, in seconds.
PAUSE_S = 0.05


@dataclass(frozen=True)
class Summary:
    """How a job ended."""

    job_id: str
    simulations: int
    finished: int
    failed: int
    #: Over finished simulations; None if none has a reward.
    mean_reward: float | None


class Job:
    """A job that a launcher runs. Leaving its `with` block ends it; `Launcher.start` with its id continues it."""

    def __init__(
        self,
        program: Program,
        functions: FunctionServer,
        follow: Callable[[str, Path], Program],
    ) -> None:
        self._program = program
        self._functions = functions
        self._follow = follow
        self._summary: Summary | None = None
        self._job_id: str | None = None
        self._begun = threading.Event()
        self._reader = threading.Thread(target=self._read_events, daemon=True)
        self._reader.start()

    def _read_events(self) -> None:
        try:
            for line in self._program.process.stdout or ():
                event: dict[str, Any] = json.loads(line)
                if event["event"] == "job_started":
                    self._job_id = event["job_id"]
                    self._begun.set()
                elif event["event"] == "job_ended":
                    names = Summary.__dataclass_fields__
                    self._summary = Summary(**{name: event[name] for name in names})
        finally:
            self._begun.set()

    @property
    def job_id(self) -> str:
        """Waits until the launcher has begun. Raises LauncherError if it could not."""
        self._begun.wait()
        if self._job_id is None:
            self._program.wait()
            raise LauncherError(self._program.said())
        return self._job_id

    def groups(self, timeout_s: float | None = None) -> Iterator[Group]:
        """Each group once, as soon as all of its simulations have ended, until the job is over.

        Only rollouts with a reward and with token ids are in it. Raises TimeoutError if no group ends for
        `timeout_s` seconds.
        """
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "rollouts.jsonl"
            following = self._follow(self.job_id, file)
            try:
                read = 0
                since = time.monotonic()
                while True:
                    has_ended = following.process.poll() is not None
                    whole = _whole_bytes(file)
                    if whole > read:
                        with open(file, "rb") as opened:
                            opened.seek(read)
                            text = opened.read(whole - read).decode()
                        read = whole
                        yield from read_groups(text.splitlines())
                        since = time.monotonic()
                    elif has_ended:
                        following.wait()
                        return
                    elif timeout_s is not None and time.monotonic() - since > timeout_s:
                        raise TimeoutError(f"no group has ended for {timeout_s} s")
                    else:
                        time.sleep(PAUSE_S)
            finally:
                following.close()

    def wait(self, timeout_s: float | None = None) -> Summary:
        """Waits for the end of the job. Raises LauncherError and TimeoutError."""
        self._program.wait(timeout_s)
        self._reader.join(timeout_s)
        if self._summary is None:
            raise LauncherError(self._program.said() or "the launcher did not say how the job ended")
        return self._summary

    def close(self) -> None:
        self._program.close()
        self._functions.close()

    def __enter__(self) -> Job:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _whole_bytes(file: Path) -> int:
    """How much of the file is complete, by the cursor beside it, which is replaced as a whole."""
    try:
        cursor: dict[str, Any] = json.loads(Path(f"{file}.cursor").read_text())
    except FileNotFoundError:
        return 0
    return int(cursor["bytes"])
