"""Prints what TRL's GRPO trainer takes of a rollout function that answers with all lines."""

import ast
import json
import sys

from definitions import packages
from lines import columns, lines

source = ast.parse((packages / "trl/trainer/grpo_trainer.py").read_text())


def is_required_keys(node: ast.AST) -> bool:
    return isinstance(node, ast.Assign) and getattr(node.targets[0], "id", None) == "required_keys"


def is_pop(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "extra_fields.pop"


(required,) = [ast.literal_eval(node.value) for node in ast.walk(source) if is_required_keys(node)]
popped = [ast.literal_eval(node.args[0]) for node in ast.walk(source) if is_pop(node)]
assert "env_mask" in popped, popped

output = columns(lines(sys.argv[1]))
assert required <= output.keys(), required - output.keys()
for at, prompt in enumerate(output["prompt_ids"]):
    none = [0] * len(prompt)
    print(json.dumps({
        "tokens": prompt + output["completion_ids"][at],
        "mask": none + output["env_mask"][at],
        "logprobs": none + output["logprobs"][at],
        "reward": output["reward"][at],
    }))
