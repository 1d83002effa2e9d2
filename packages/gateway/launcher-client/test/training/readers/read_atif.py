"""Prints the sources of the steps of each trajectory and of its subagents, and the tokens of the model's."""

import json
import sys

import atif


def sources(trajectory):
    return [step.source for step in trajectory.steps]


for line in open(sys.argv[1]):
    read = atif.Trajectory.model_validate_json(line)
    metrics = [step.metrics for step in read.steps if step.metrics is not None]
    print(json.dumps({
        "steps": sources(read),
        "subagents": [sources(each) for each in read.subagent_trajectories or []],
        "tools": [tool["function"]["name"] for tool in read.agent.tool_definitions or []],
        "calls": [len(step.tool_calls or []) for step in read.steps],
        "completions": [each.completion_token_ids for each in metrics],
        "logprobs": [each.logprobs for each in metrics],
    }))
