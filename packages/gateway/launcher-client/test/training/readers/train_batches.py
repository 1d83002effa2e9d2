"""Takes a step on the batches that SkyRL and verl make of exports: `train_batches.py SKYRL VERL`. Prints one JSON object."""

import json
import sys
from types import ModuleType
from typing import Any, Optional

import torch
from definitions import definitions, packages
from lines import columns, lines
from pydantic import BaseModel, ConfigDict
from tiny_policy import changed, model

# Its module is imported whole; the packages above it import all trainers, which need Ray.
for name in ("skyrl.train", "skyrl.train.dataset", "skyrl.backends", "skyrl.backends.skyrl_train"):
    package = sys.modules[name] = ModuleType(name)
    package.__path__ = [str(packages / name.replace(".", "/"))]

from skyrl.train.dataset.preprocess import convert_prompts_responses_to_batch_tensors  # noqa: E402

AgentLoopMetrics, AgentLoopOutput = definitions(
    "verl/experimental/agent_loop/agent_loop.py",
    *["AgentLoopMetrics", "AgentLoopOutput"],
    **{"Any": Any, "BaseModel": BaseModel, "ConfigDict": ConfigDict, "Optional": Optional, "torch": torch},
)


def step(batches) -> dict:
    """One gradient of rewards less their mean, over `(ids, attention, mask, logprobs, reward)` of whole sequences."""
    policy = model()
    optimizer = torch.optim.SGD(policy.parameters(), lr=1.0)
    mean = sum(float(reward.sum()) for *_, reward in batches) / sum(len(reward) for *_, reward in batches)
    loss, trained, off = 0.0, 0, 0.0
    for ids, attention, mask, logprobs, reward in batches:
        width = mask.shape[1]
        logits = policy(input_ids=ids, attention_mask=attention).logits[:, -width - 1 : -1]
        chosen = torch.log_softmax(logits, -1).gather(-1, ids[:, -width:, None])[..., 0]
        loss = loss - (chosen * mask * (reward - mean)[:, None]).sum()
        trained += int(mask.sum())
        off += float((logprobs * mask).sum())
    loss.backward()
    optimizer.step()
    return {"sequences": sum(len(ids) for ids, *_ in batches), "trained": trained, "logprobs": off,
            "rewards": sum(float(reward.sum()) for *_, reward in batches), "changed": changed(model(), policy)}


def skyrl(rows) -> dict:
    read = columns(rows)
    # As its generator does: the reward of a response is that of its last token.
    rewards = [[0.0] * (len(ids) - 1) + [reward] for ids, reward in zip(read["response_ids"], read["rewards"])]
    ids, attention, _, earned, mask, logprobs, *_ = convert_prompts_responses_to_batch_tensors(
        *[0, read["prompt_token_ids"], read["response_ids"], rewards, read["loss_masks"], read["rollout_logprobs"]]
    )
    return step([(ids, attention, mask, logprobs, earned.sum(dim=1))])


def verl(rows) -> dict:
    batches = []
    for row in rows:
        made = AgentLoopOutput.model_validate(row, strict=True).as_dict()
        ids = torch.cat([made["prompts"], made["responses"]])[None]
        mask, logprobs = made["response_mask"][None], made["rollout_log_probs"][None]
        batches.append((ids, torch.ones_like(ids), mask, logprobs, made["rm_scores"].sum()[None]))
    return step(batches)


if __name__ == "__main__":
    of_skyrl, of_verl = map(lines, sys.argv[1:])
    print(json.dumps({"skyrl": skyrl(of_skyrl), "verl": verl(of_verl)}))
