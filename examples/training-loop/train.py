"""Trains the policy: plays games through the gateway, and makes what won more probable.

Something is hidden in one of four places. The first call of the tool `search` only gives a clue, whose meaning the policy
has to learn; the second must find it.
"""

from __future__ import annotations

import argparse
import json
import shlex
import urllib.request
from pathlib import Path
from typing import Any
from zlib import crc32

import torch
from gateway_client import Gateway, Group, Launcher
from policy import CLUES, Policy

MODEL = "policy"
SEARCHES = 2
PARAMETERS = {"type": "object", "properties": {"place": {"enum": [*CLUES]}}, "required": ["place"]}
TOOLS = [{"type": "function", "function": {"name": "search", "parameters": PARAMETERS}}]


def post(url: str, body: dict[str, Any], key: str | None = None) -> dict[str, Any]:
    headers = {"content-type": "application/json"} | ({} if key is None else {"authorization": f"Bearer {key}"})
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def agent(start: dict[str, Any]) -> dict[str, Any]:
    """Plays one game, as any agent would that speaks to a model."""
    hidden, seed = start["env_params"]["hidden"], start["env_params"]["seed"]
    messages: list[dict[str, Any]] = [{"role": "user", "content": "find it"}]
    found = False
    for turn in range(SEARCHES):
        # A seed of each call's own makes a run repeatable.
        own = crc32(f"{seed} {start['simulation_id']} {turn}".encode())
        asked = {"model": start["llm_model"], "messages": messages, "tools": TOOLS, "max_tokens": 8, "seed": own}
        answer = post(f"{start['llm_base_url']}/chat/completions", asked, start["llm_api_key"])
        message = answer["choices"][0]["message"]
        calls = message.get("tool_calls") or []
        if not calls:
            break
        place = json.loads(calls[0]["function"]["arguments"])["place"]
        found = turn == SEARCHES - 1 and place == hidden
        messages += [message, {"role": "tool", "tool_call_id": calls[0]["id"], "content": CLUES[hidden]}]
    return {"status": "completed", "total_reward": float(found)}


def games(seed: str, repeat: int) -> list[dict[str, Any]]:
    """Each place is a group: its games are compared with each other."""
    return [
        {"simulation_id": hidden, "repeat": repeat, "env_params": {"hidden": hidden, "seed": seed}}
        for hidden in CLUES
    ]


def update(policy: Policy, optimizer: torch.optim.Optimizer, groups: list[Group], epochs: int) -> float:
    """Steps of the clipped policy gradient. Returns the largest difference of log probabilities from the engine's."""
    rows = [
        (sequence.input_ids, sequence.loss_mask, sequence.logprobs or [], advantage)
        for group in groups
        for rollout, advantage in zip(group.rollouts, group.advantages)
        for sequence in rollout.sequences
    ]
    length = max(len(ids) for ids, *_ in rows)

    def pad(values: list[Any]) -> list[Any]:
        return [*values, *[0] * (length - len(values))]

    ids = torch.tensor([pad(row[0]) for row in rows])
    mask = torch.tensor([pad(row[1]) for row in rows]).bool()[:, 1:]
    sampled = torch.tensor([pad(row[2]) for row in rows])[:, 1:]
    advantages = torch.tensor([row[3] for row in rows])[:, None].expand(mask.shape)[mask]
    off = 0.0
    for epoch in range(epochs):
        now, _ = policy(ids[:, :-1])
        change = (now.gather(-1, ids[:, 1:, None])[..., 0] - sampled)[mask]
        if epoch == 0:
            off = change.abs().max().item()
        ratio = change.exp()
        loss = -torch.minimum(ratio * advantages, ratio.clamp(0.8, 1.2) * advantages).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return off


def versions(groups: list[Group]) -> list[str]:
    """The weights that sampled these games."""
    sequences = [each for group in groups for rollout in group.rollouts for each in rollout.sequences]
    return sorted({span["version"] for sequence in sequences for span in sequence.versions})


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("folder", type=Path, help="the model server's folder")
    reader.add_argument("--engine", default="http://127.0.0.1:9000/v1")
    reader.add_argument("--gateway", default="http://127.0.0.1:8000")
    reader.add_argument("--db", default="sqlite://data/gateway.db")
    reader.add_argument("--launcher", default="npx @proj/launcher", help="the command that starts it")
    reader.add_argument("--iterations", type=int, default=6)
    reader.add_argument("--seed", type=int, default=0)
    reader.add_argument("--repeat", type=int, default=16, help="games of each group")
    given = reader.parse_args()
    torch.set_num_threads(1)
    weights = given.folder / "policy.pt"
    policy = Policy(seed=0)
    policy.load_state_dict(torch.load(weights))
    optimizer = torch.optim.Adam(policy.parameters(), 0.005)
    gateway = Gateway(given.gateway)
    launcher = Launcher(gateway, given.db, shlex.split(given.launcher))
    gateway.resume(MODEL, "step-0")
    for iteration in range(given.iterations):
        with launcher.start(games(f"{given.seed}.{iteration}", given.repeat), model=MODEL, agent=agent, concurrency=16) as job:
            groups = list(job.groups(timeout_s=120))
            reward = job.wait(120).mean_reward
        off = update(policy, optimizer, groups, epochs=16)
        gateway.pause(MODEL, "drain")
        torch.save(policy.state_dict(), weights)
        post(f"{given.engine}/load_weights", {})
        gateway.resume(MODEL, f"step-{iteration + 1}")
        told = {"mean_reward": reward, "largest_difference": off, "versions": versions(groups)}
        print(json.dumps({"iteration": iteration, **told}), flush=True)


main()
