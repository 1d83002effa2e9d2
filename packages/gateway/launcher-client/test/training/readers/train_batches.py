"""Takes a step on what SkyRL, verl and tinker-cookbook make of exports: `train_batches.py SKYRL VERL TINKER STEPS`.

STEPS is the export of single steps. Prints one JSON object."""

import json
import sys
from types import ModuleType

import torch
from definitions import packages
from lines import columns, lines
from tiny_policy import changed, model
from tinker.types import ModelInput, TensorData
from tinker_cookbook.completers import TokensWithLogprobs
from tinker_cookbook.rl.data_processing import assemble_training_data, compute_advantages
from tinker_cookbook.rl.types import Trajectory, TrajectoryGroup, Transition
from verl.experimental.agent_loop.agent_loop import AgentLoopOutput

# Its module is imported whole; the packages above it define types that pydantic refuses before Python 3.12.
for name in ("skyrl.train", "skyrl.train.dataset", "skyrl.backends", "skyrl.backends.skyrl_train"):
    package = sys.modules[name] = ModuleType(name)
    package.__path__ = [str(packages / name.replace(".", "/"))]

from skyrl.train.dataset.preprocess import convert_prompts_responses_to_batch_tensors  # noqa: E402


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


def tinker(rows) -> dict:
    batches = []
    for row in rows:
        ids, targets, mask, logprobs = datum(row["datum"])
        ids, mask, logprobs = torch.tensor([[*ids, targets[-1]]]), torch.tensor([mask]), torch.tensor([logprobs])
        batches.append((ids, torch.ones_like(ids), mask, logprobs, torch.tensor([row["reward"]])))
    return step(batches)


def datum(line) -> list:
    """Ids, targets, mask and log probabilities, in single precision."""
    tensors = {name: TensorData(**tensor) for name, tensor in line["loss_fn_inputs"].items()}
    ids = ModelInput.model_validate(line["model_input"]).to_ints()
    return [ids, *(tensors[name].to_torch().tolist() for name in ("target_tokens", "mask", "logprobs"))]


def cookbook(steps) -> list:
    """The same of the datums that tinker-cookbook makes of each rollout's steps, as if its environments had played them."""
    groups = {}
    for each in steps:
        groups.setdefault(each["group_id"], {}).setdefault(each["session_id"], []).append(each)
    played = [
        TrajectoryGroup(
            trajectories_G=[Trajectory([transition(each) for each in rollout], ModelInput.empty()) for rollout in rollouts],
            final_rewards_G=[rollout[0]["reward"] for rollout in rollouts],
            metrics_G=[{} for _ in rollouts],
        )
        for rollouts in (list(group.values()) for group in groups.values())
    ]
    data, _ = assemble_training_data(played, compute_advantages(played))
    return [
        [each.model_input.to_ints(), *(each.loss_fn_inputs[name].to_torch().tolist() for name in ("target_tokens", "mask", "logprobs"))]
        for each in data
    ]


def transition(each) -> Transition:
    logprobs = [token["logprob"] for token in each["logprobs"]]
    said = TokensWithLogprobs(tokens=each["token_ids"], maybe_logprobs=logprobs)
    return Transition(ob=ModelInput.from_ints(each["prompt_token_ids"]), ac=said, reward=0.0, episode_done=False)


if __name__ == "__main__":
    of_skyrl, of_verl, of_tinker, steps = map(lines, sys.argv[1:])
    print(json.dumps({
        **{"skyrl": skyrl(of_skyrl), "verl": verl(of_verl), "tinker": tinker(of_tinker)},
        "datums": sorted(datum(row["datum"]) for row in of_tinker),
        "cookbook": sorted(cookbook(steps)),
    }))
