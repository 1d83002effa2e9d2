"""Starts the launcher."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from .functions import Agent, Evaluator, FunctionServer
from .gateway import Gateway
from .job import Job
from .program import Program
from .rollouts import Group, read_groups


class Launcher:
    """The program `launcher`, for jobs at a gateway.

    `db_path` is the gateway's `storage_config.db_url`; `command` starts the launcher. `session_secret` is the gateway's
    `auth.session_secret`: agents then get keys to their own sessions only.
    """

    def __init__(
        self,
        gateway: Gateway,
        db_path: str = "sqlite://data/gateway.db",
        command: Sequence[str] = ("npx", "@proj/launcher"),
        session_secret: str | None = None,
    ) -> None:
        self.gateway = gateway
        self._command = list(command)
        # In variables, which other users of the machine cannot read.
        self._secrets = {"GATEWAY_DB_URL": db_path}
        if gateway.api_key is not None:
            self._secrets["GATEWAY_API_KEY"] = gateway.api_key
        if session_secret is not None:
            self._secrets["GATEWAY_SESSION_SECRET"] = session_secret

    def start(
        self,
        simulations: Iterable[dict[str, Any]],
        *,
        model: str,
        agent: Agent | str,
        evaluator: Evaluator | str | None = None,
        job_id: str | None = None,
        concurrency: int = 8,
        options: Sequence[str] = (),
    ) -> Job:
        """Starts a job, or continues the one with this id.

        An agent or evaluator is a function of this process or a command. Without an evaluator the score is the
        `total_reward` of the agent's result. `options` are further ones of `launcher run`.
        """
        given = {"agent": agent, "evaluator": evaluator}
        functions = FunctionServer(**{name: each for name, each in given.items() if callable(each)})
        arguments = [*self._command, "run", "-", "--json", "--llm-model", model]
        arguments += ["--gateway-base-url", self.gateway.base_url, "--concurrency", str(concurrency)]
        arguments += _option("runtime", "agent", agent, functions)
        if evaluator is not None:
            arguments += _option("evaluator", "evaluator", evaluator, functions)
        if job_id is not None:
            arguments += ["--job-id", job_id]
        program = Program([*arguments, *options], self._secrets, has_input=True)
        stdin = program.process.stdin
        assert stdin is not None
        try:
            stdin.write("".join(f"{json.dumps(each)}\n" for each in simulations).encode())
            stdin.close()
        except BrokenPipeError:
            pass  # It has ended, and `Job` says why.
        return Job(program, functions, self._follow)

    def score(
        self, job_id: str, *, model: str, evaluator: Evaluator | str, unscored_only: bool = False
    ) -> bool:
        """Scores what a job has played, again or for the first time. Returns whether every evaluation succeeded."""
        given = {"evaluator": evaluator} if callable(evaluator) else {}
        functions = FunctionServer(**given)
        arguments = ["evaluate", "--job-id", job_id, "--llm-model", model]
        arguments += _option("evaluator", "evaluator", evaluator, functions)
        try:
            code, _ = self._run([*arguments, *(["--unscored"] if unscored_only else [])])
            return code == 0
        finally:
            functions.close()

    def groups(self, job_id: str) -> list[Group]:
        """The rollouts of a job that have ended with a reward."""
        _, text = self._run(["export", "--job-id", job_id, "--format", "sequences"])
        groups: dict[str, Group] = {}
        for group in read_groups(text.splitlines()):
            groups.setdefault(group.name, Group(group.name, [])).rollouts.extend(group.rollouts)
        return list(groups.values())

    def _run(self, arguments: Sequence[str]) -> tuple[int, str]:
        program = Program([*self._command, *arguments], self._secrets)
        try:
            assert program.process.stdout is not None
            text = program.process.stdout.read().decode()
            return program.wait(), text
        finally:
            program.close()

    def _follow(self, job_id: str, file: Path) -> Program:
        output = ["--follow", "--format", "sequences", "--output", str(file)]
        return Program([*self._command, "export", "--job-id", job_id, *output], self._secrets)


def _option(
    option: str, name: str, given: Agent | Evaluator | str, functions: FunctionServer
) -> list[str]:
    if callable(given):
        return [f"--{option}-url", functions.url(name)]
    return [f"--{option}-command", given]
