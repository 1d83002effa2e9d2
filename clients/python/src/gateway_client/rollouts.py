"""Rollouts as the launcher exports them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Sequence:
    """Exactly the tokens that the model saw and sampled, of one or more calls that continue one another."""

    input_ids: list[int]
    #: 1 for tokens that the model sampled and that are trained on here.
    loss_mask: list[int]
    #: As the engine reported them, 0 where the mask is 0. None if it reported none.
    logprobs: list[float] | None
    #: `{"version", "start", "end"}`: which weights sampled which tokens.
    versions: list[dict[str, Any]]
    is_truncated: bool
    #: 1 divided by the number of the rollout's sequences.
    weight: float
    #: The whole line of the export.
    line: dict[str, Any] = field(repr=False)

    def arrays(self) -> tuple[NDArray[np.int32], NDArray[np.uint8], NDArray[np.float32] | None]:
        """Ids, mask and log probabilities. Needs numpy."""
        import numpy as np

        logprobs = None if self.logprobs is None else np.asarray(self.logprobs, np.float32)
        return np.asarray(self.input_ids, np.int32), np.asarray(self.loss_mask, np.uint8), logprobs


@dataclass(frozen=True)
class Rollout:
    """An attempt of a simulation that has ended with a reward."""

    rollout_id: str
    group: str
    simulation_id: str
    env_params: Any
    reward: float
    sequences: list[Sequence]


@dataclass(frozen=True)
class Group:
    """Rollouts that are compared with each other."""

    name: str
    rollouts: list[Rollout]

    @property
    def advantages(self) -> list[float]:
        """Each rollout's reward less the mean of the group."""
        mean = sum(rollout.reward for rollout in self.rollouts) / len(self.rollouts)
        return [rollout.reward - mean for rollout in self.rollouts]


def read_groups(lines: Iterable[str]) -> Iterator[Group]:
    """The groups of an export in the format `sequences`, whose lines are in the order of groups."""
    told = (json.loads(line) for line in lines)
    for name, members in groupby(told, key=lambda line: str(line["group"])):
        rollouts = [
            _rollout(list(own)) for _, own in groupby(members, key=lambda line: line["rollout_id"])
        ]
        yield Group(name, rollouts)


def _rollout(lines: list[dict[str, Any]]) -> Rollout:
    first = lines[0]
    return Rollout(
        rollout_id=first["rollout_id"],
        group=first["group"],
        simulation_id=first["simulation_id"],
        env_params=first["env_params"],
        reward=first["reward"],
        sequences=[_sequence(line) for line in lines],
    )


def _sequence(line: dict[str, Any]) -> Sequence:
    return Sequence(
        input_ids=line["input_ids"],
        loss_mask=line["loss_mask"],
        logprobs=line["logprobs"],
        versions=line["versions"],
        is_truncated=line["is_truncated"],
        weight=line["weight"],
        line=line,
    )
