"""Builds sequences from rows by the rules of the sequences' README, comparing every pair of steps token by token.

`reconstruct.py ROWS` reads one row a line and prints, for each session, its sequences and what became of each step.
"""

import json
import sys
from collections import defaultdict

from lines import lines

TRIM = 1


def samples(row: dict) -> list[dict]:
    """Each choice of a row's answer, with what the engine reported about it."""
    meta = json.loads(row["meta_json"])
    answer = json.loads(row["response"] or "null") or {}
    choices = answer.get("choices") or [{}]
    found = []
    for index, choice in enumerate(choices):
        entries = (choice.get("logprobs") or {}).get("content")
        suffix = "" if index == 0 else f"#{index + 1}"
        retried = meta.get("retry_of")
        replayed = meta.get("replayed_from")
        found.append({
            "id": f"{row['model']}/{row['step_id']}{suffix}",
            "model": row["model"],
            "began": row["step_id"],
            "ended": row["id"],
            "started_at": meta["started_at"],
            "ended_at": row["created_at"],
            "status": row["status_code"],
            "truncated": meta.get("truncated", False),
            "prompt": answer.get("prompt_token_ids"),
            "completion": choice.get("token_ids"),
            "logprobs": None if entries is None else [entry["logprob"] for entry in entries],
            "usage": meta.get("completion_tokens") if index == 0 else None,
            "agent": (meta.get("agent") or {}).get("id"),
            "kind": (meta.get("agent") or {}).get("request_kind"),
            "rule": meta.get("side_call"),
            "retry_of": None if retried is None else f"{row['model']}/{retried}{suffix}",
            "replayed": replayed is not None,
        })
    return found


def sampled(step: dict) -> int | None:
    if step["replayed"]:
        return 0
    if step["completion"]:
        return len(step["completion"])
    if step["usage"] is not None:
        return step["usage"]
    if step["completion"] is not None:
        return 0
    return None if step["status"] == 200 else 0


def loss(step: dict) -> str | None:
    if step["status"] != 200:
        return "aborted"
    if step["truncated"]:
        return "truncated_capture"
    if step["prompt"] is None or step["completion"] is None:
        return "no_token_ids"
    if not step["completion"]:
        return "empty_completion"
    if step["logprobs"] is not None and len(step["logprobs"]) != len(step["completion"]):
        return "logprobs_misaligned"
    return None


def side_call(step: dict, policy: str) -> bool:
    return step["rule"] is not None or step["kind"] not in (None, "turn") or step["model"] != policy


def parent_of(step: dict, steps: list[dict]):
    """The call whose prompt and completion this prompt begins with, the longest; how many tokens it leaves out."""
    best = []
    for other in steps:
        is_before = other["ended"] < step["ended"] and (
            other["began"] < step["began"] if other["began"] != step["began"] else False
        )
        if other is step or other["agent"] != step["agent"] or not is_before:
            continue
        for trimmed in range(TRIM + 1):
            kept = len(other["completion"]) - trimmed
            if kept < 1:
                continue
            whole = other["prompt"] + other["completion"][:kept]
            if step["prompt"][: len(whole)] == whole:
                best.append((len(whole), other, trimmed))
                break
    longest = max((length for length, _, _ in best), default=0)
    candidates = [(other, trimmed) for length, other, trimmed in best if length == longest]
    return candidates[0] if len(candidates) == 1 else None


def superseded(steps: list[dict], parents: dict) -> set[str]:
    """Of calls that retry one another, all but those that were continued, or the last."""
    gone: set[str] = set()
    by_id = {step["id"]: step for step in steps}

    def root(step):
        while (before := by_id.get(step["retry_of"])) is not None and before["prompt"] == step["prompt"]:
            step = before
        return step["id"]

    attempts = defaultdict(list)
    for step in steps:
        attempts[root(step)].append(step)
    # What continues a call has a longer prompt, and is decided first.
    for equal in sorted(attempts.values(), key=lambda each: -len(each[0]["prompt"])):
        continued = {parents[s["id"]][0]["id"] for s in steps if s["id"] in parents and s["id"] not in gone}
        kept = [step for step in equal if step["id"] in continued]
        if not kept:
            repeated = {step["retry_of"] for step in equal}
            kept = [step for step in equal if step["id"] not in repeated]
        gone |= {step["id"] for step in equal} - {step["id"] for step in kept}
    return gone


def session(rows: list[dict]) -> dict:
    steps = [step for row in rows for step in samples(row)]
    totals = defaultdict(int)
    for step in steps:
        totals[step["model"]] += sampled(step) or 0
    policy = min(totals, key=lambda model: (-totals[model], model))
    fates = {}
    usable = []
    for step in steps:
        lost = "side_call" if side_call(step, policy) else loss(step)
        if lost is None:
            usable.append(step)
        else:
            fates[step["id"]] = [sampled(step) or 0, 0, lost]
    usable.sort(key=lambda step: step["began"])
    parents = {step["id"]: found for step in usable if (found := parent_of(step, usable)) is not None}
    gone = superseded(usable, parents)
    for name in gone:
        (step,) = (each for each in usable if each["id"] == name)
        fates[name] = [sampled(step), 0, "superseded_retry"]
    kept = [step for step in usable if step["id"] not in gone]
    inner = {parents[step["id"]][0]["id"] for step in kept if step["id"] in parents}
    told = set()
    sequences = []
    for leaf in kept:
        if leaf["id"] in inner:
            continue
        ids = leaf["prompt"] + leaf["completion"]
        mask, logprobs = [0] * len(ids), [0.0] * len(ids)
        has_logprobs = True
        step, trimmed = leaf, 0
        while step is not None:
            start, end = len(step["prompt"]), len(step["prompt"]) + len(step["completion"]) - trimmed
            if step["id"] not in told:
                told.add(step["id"])
                if step["replayed"]:
                    fates[step["id"]] = [0, 0, "replayed"]
                else:
                    fates[step["id"]] = [sampled(step), end - start, "trimmed" if trimmed else None]
                    mask[start:end] = [1] * (end - start)
                    if step["logprobs"] is None:
                        has_logprobs = False
                    else:
                        logprobs[start:end] = step["logprobs"][: end - start]
            step, trimmed = parents.get(step["id"], (None, 0))
        sequences.append({"ids": ids, "mask": mask, "logprobs": logprobs if has_logprobs else None})
    return {
        "sequences": sequences,
        "unknown": sum(sampled(step) is None for step in steps),
        "fates": fates,
    }


rows_of = defaultdict(list)
for row in lines(sys.argv[1]):
    rows_of[row["session_id"]].append(row)
print(json.dumps({name: session(rows) for name, rows in rows_of.items()}))
