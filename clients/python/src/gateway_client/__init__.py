"""Runs jobs of agents at a model gateway, and reads their rollouts as training sequences."""

from .gateway import Gateway, GatewayError
from .job import Job, Summary
from .launcher import Launcher
from .program import LauncherError
from .rollouts import Group, Rollout, Sequence

__all__ = [
    "Gateway",
    "GatewayError",
    "Group",
    "Job",
    "Launcher",
    "LauncherError",
    "Rollout",
    "Sequence",
    "Summary",
]
