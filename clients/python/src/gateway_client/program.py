"""The launcher as a program."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Sequence
from typing import IO

#: What the launcher exits with when it has done its work, and when something of it failed.
DONE, SOME_FAILED = 0, 1


class LauncherError(Exception):
    """The launcher could not do its work; the message is what it said."""


class Program:
    """A started launcher. What it says on standard error is kept in a file, so that it never waits for a reader."""

    def __init__(self, command: Sequence[str], secrets: dict[str, str], has_input: bool = False) -> None:
        self._said: IO[bytes] = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE if has_input else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self._said,
            env={**os.environ, **secrets},
        )

    def wait(self, timeout_s: float | None = None) -> int:
        """The exit code, 0 or 1. Raises LauncherError for any other, and TimeoutError."""
        try:
            code = self.process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"the launcher has not ended within {timeout_s} s") from None
        if code not in (DONE, SOME_FAILED):
            raise LauncherError(self.said() or f"the launcher ended with {code}")
        return code

    def said(self) -> str:
        self._said.seek(0)
        return self._said.read().decode(errors="replace").strip()[-4000:]

    def close(self) -> None:
        """Ends the launcher, which gives simulations back that run: they can be continued under the job's id."""
        for end in (self.process.terminate, self.process.terminate, self.process.kill):
            if self.process.poll() is not None:
                break
            end()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                pass
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()
        self._said.close()
