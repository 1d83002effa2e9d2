"""Prints what verl's AgentLoopOutput took of each line."""

import json
import sys
from typing import Any, Optional

from definitions import definitions
from lines import lines
from pydantic import BaseModel, ConfigDict

AgentLoopMetrics, AgentLoopOutput = definitions(
    "verl/experimental/agent_loop/agent_loop.py",
    "AgentLoopMetrics",
    "AgentLoopOutput",
    Any=Any,
    BaseModel=BaseModel,
    ConfigDict=ConfigDict,
    Optional=Optional,
)

for line in lines(sys.argv[1]):
    unknown = set(line) - set(AgentLoopOutput.model_fields)
    assert not unknown, f"AgentLoopOutput has no {unknown}"
    output = AgentLoopOutput.model_validate(line, strict=True)
    assert len(output.response_ids) == len(output.response_mask) == len(output.response_logprobs)
    print(json.dumps({
        "tokens": output.prompt_ids + output.response_ids,
        "mask": [0] * len(output.prompt_ids) + output.response_mask,
        "logprobs": [0] * len(output.prompt_ids) + output.response_logprobs,
        "reward": output.reward_score,
        "turns": output.num_turns,
    }))
