"""Has SkyRL validate all lines as one output of a generator, and prints what is in it."""

import json
import sys
from dataclasses import dataclass

import numpy as np
from definitions import definitions
from lines import columns, lines


class Logger:
    def warning(self, text: str):
        raise ValueError(text)


given = {"np": np, "logger": Logger(), "GeneratorOutput": dict, "SAMPLE_SUPPORT_FIELD": "rollout_sample_support"}
names = ["validate_generator_output", "_validate_per_token_side_channels", "_validate_step_wise_fields"]
validate, *_ = definitions("skyrl/train/utils/trainer_utils.py", *names, **given)
(TrajectoryID,) = definitions("skyrl/train/generators/base.py", "TrajectoryID", dataclass=dataclass)

output = columns(lines(sys.argv[1]))
output["trajectory_ids"] = [TrajectoryID(**id) for id in output["trajectory_ids"]]
rollouts = {id.to_string() for id in output["trajectory_ids"]}
validate(len(rollouts), output, step_wise=True)
for at, response in enumerate(output["response_ids"]):
    prompt = output["prompt_token_ids"][at]
    none = [0] * len(prompt)
    print(json.dumps({
        "tokens": prompt + response,
        "mask": none + output["loss_masks"][at],
        "logprobs": none + output["rollout_logprobs"][at],
        "reward": output["rewards"][at],
        "trajectory": output["trajectory_ids"][at].to_string(),
        "last": output["is_last_step"][at],
    }))
