"""Prints what Tinker's Datum took of each line; its targets are the tokens from the second on."""

import json
import sys

from lines import lines
from tinker.types import Datum, ModelInput, TensorData

for line in lines(sys.argv[1]):
    given = line["datum"]
    datum = Datum(
        model_input=ModelInput.model_validate(given["model_input"]),
        loss_fn_inputs={name: TensorData(**tensor) for name, tensor in given["loss_fn_inputs"].items()},
    )
    values = datum.loss_fn_inputs
    assert {tensor.to_numpy().shape for tensor in values.values()} == {(datum.model_input.length,)}
    inputs, targets = datum.model_input.to_ints(), values["target_tokens"].tolist()
    assert inputs[1:] == targets[:-1]
    assert {name: tensor.dtype for name, tensor in values.items()} == {
        "target_tokens": "int64",
        "mask": "float32",
        "logprobs": "float32",
    }
    print(json.dumps({
        "tokens": inputs[:1] + targets,
        "mask": [0] + values["mask"].tolist(),
        "logprobs": [0] + values["logprobs"].tolist(),
        "reward": line["reward"],
    }))
