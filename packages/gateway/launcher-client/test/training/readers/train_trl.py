"""Has TRL's trainers take a real step on exports: `train_trl.py MODEL MESSAGES ROLLOUTS`. Prints one JSON object.

MODEL is a folder with a tokenizer and a chat template."""

import json
import re
import sys
from pathlib import Path

import trl
from datasets import Dataset
from transformers import AutoTokenizer
from transformers.utils.chat_template_utils import render_jinja_template
from trl import GRPOConfig, GRPOTrainer, SFTConfig, SFTTrainer

from lines import lines
from tiny_policy import changed, model

folder, messages, rollouts = sys.argv[1:]
tokenizer = AutoTokenizer.from_pretrained(folder)
common = {
    **{"use_cpu": True, "bf16": False, "fp16": False, "max_steps": 1, "logging_steps": 1},
    **{"save_strategy": "no", "report_to": [], "disable_tqdm": True, "learning_rate": 1e-2},
    **{"output_dir": f"{folder}/out", "lr_scheduler_type": "constant", "warmup_steps": 0},
}


def templates(conversations) -> dict:
    """Why a template that TRL brings, and that takes tools, does not render a call as the model wrote it."""
    found = {}
    for file in sorted((Path(trl.__file__).parent / "chat_templates").glob("*.jinja")):
        source = file.read_text()
        if not re.search(r"\btools\b", source):
            continue
        found[file.stem] = [why for each in conversations if (why := misrendered(source, each)) is not None]
    return found


def misrendered(source: str, conversation: dict) -> str | None:
    try:
        texts, _ = render_jinja_template(
            conversations=[conversation["messages"]],
            tools=conversation.get("tools"),
            chat_template=source,
            **{"bos_token": "<s>", "eos_token": "</s>", "pad_token": "", "unk_token": ""},
        )
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    for message in conversation["messages"]:
        for call in message.get("tool_calls", []):
            function = call["function"]
            if function["name"] not in texts[0]:
                return f"no call of {function['name']}"
            # Encoded twice, an argument's quotes would be escaped.
            if re.search(rf'\\"({"|".join(map(re.escape, function["arguments"]))})\\"', texts[0]):
                return "arguments encoded twice"
            for value in function["arguments"].values():
                if isinstance(value, str) and value not in texts[0]:
                    return f"no argument {value!r}"
    return None


def sft(rows) -> dict:
    told = [{name: row[name] for name in ("messages", "tools") if name in row} for row in rows]
    trainer = SFTTrainer(
        model=model(),
        args=SFTConfig(per_device_train_batch_size=len(told), max_length=None, **common),
        train_dataset=Dataset.from_list(told),
        processing_class=tokenizer,
    )
    texts = [tokenizer.decode(row["input_ids"]) for row in trainer.train_dataset]
    result = trainer.train()
    return {"texts": texts, "loss": result.training_loss, "changed": changed(model(), trainer.model)}


def grpo(rows) -> dict:
    groups: dict[str, list[dict]] = {}
    for row in rows:
        groups.setdefault(row["group"], []).append(row)
    size = max(map(len, groups.values()))
    # Of a group with a failure there are too few to compare.
    whole = {name: group for name, group in groups.items() if len(group) == size}
    asked = []

    def rollout(prompts, _trainer):
        asked.extend(prompts)
        taken = {name: iter(group) for name, group in whole.items()}
        given = [next(taken[prompt]) for prompt in prompts]
        return {name: [row[name] for row in given] for name in ("prompt_ids", "completion_ids", "logprobs", "env_mask", "reward")}

    def earned(reward, **_):
        return reward

    trainer = GRPOTrainer(
        model=model(),
        reward_funcs=earned,
        args=GRPOConfig(
            per_device_train_batch_size=len(whole) * size,
            num_generations=size,
            max_completion_length=4096,
            shuffle_dataset=False,
            **common,
        ),
        train_dataset=Dataset.from_list([{"prompt": name} for name in whole]),
        processing_class=tokenizer,
        rollout_func=rollout,
    )
    trainer.train()
    log = next(entry for entry in trainer.state.log_history if "reward" in entry)
    return {
        **{"groups": len(groups), "whole": len(whole), "asked": len(asked), "changed": changed(model(), trainer.model)},
        **{"reward": log["reward"], "grad_norm": log["grad_norm"]},
    }


if __name__ == "__main__":
    told = lines(messages)
    print(json.dumps({"templates": templates(told), "sft": sft(told), "grpo": grpo(lines(rollouts))}))
