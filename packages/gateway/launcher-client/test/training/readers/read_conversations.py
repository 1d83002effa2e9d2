"""Prints how LLaMA-Factory and axolotl tokenize conversations: `read_conversations.py FOLDER MESSAGES`.

FOLDER has a tokenizer and a chat template. Of each conversation: its text, and what of it is trained on."""

import json
import os
import sys
from pathlib import Path

folder, messages = sys.argv[1:]
# Of LLaMA-Factory: it pins an older transformers than vLLM does.
os.environ |= {"DISABLE_VERSION_CHECK": "1", "HF_HOME": folder, "HF_HUB_OFFLINE": "1"}

from axolotl.prompt_strategies.chat_template import load  # noqa: E402
from axolotl.utils.dict import DictDefault  # noqa: E402
from datasets import load_dataset  # noqa: E402
from llamafactory.data import get_dataset, get_template_and_fix_tokenizer  # noqa: E402
from llamafactory.hparams import get_train_args  # noqa: E402
from transformers import AutoTokenizer  # noqa: E402

tokenizer = AutoTokenizer.from_pretrained(folder)


def told(rows) -> list:
    trained = ([label for label in row["labels"] if label != -100] for row in rows)
    return [[tokenizer.decode(row["input_ids"]), tokenizer.decode(each)] for row, each in zip(rows, trained)]


def llamafactory() -> list:
    described = {
        **{"file_name": messages, "formatting": "openai", "columns": {"messages": "messages", "tools": "tools"}},
        "tags": {
            **{"role_tag": "role", "content_tag": "content", "system_tag": "system", "user_tag": "user"},
            **{"assistant_tag": "assistant", "function_tag": "function", "observation_tag": "tool"},
        },
    }
    (Path(folder) / "dataset_info.json").write_text(json.dumps({"job": described}))
    model_args, data_args, training_args, *_ = get_train_args({
        **{"stage": "sft", "do_train": True, "finetuning_type": "full", "model_name_or_path": folder},
        **{"dataset": "job", "dataset_dir": folder, "template": "qwen", "cutoff_len": 8192},
        **{"output_dir": f"{folder}/out", "report_to": "none", "use_cpu": True},
    })
    template = get_template_and_fix_tokenizer(tokenizer, data_args)
    made = get_dataset(template, model_args, data_args, training_args, stage="sft", tokenizer=tokenizer)
    return told(made["train_dataset"])


def axolotl() -> list:
    asked = {"type": "chat_template", "message_field_training": "train"}
    strategy = load(tokenizer, DictDefault({"sequence_len": 8192, "train_on_inputs": False}), asked)
    rows = load_dataset("json", data_files=messages, split="train")
    return told([strategy.tokenize_prompt(row) for row in rows])


print(json.dumps({"axolotl": axolotl(), "llamafactory": llamafactory()}))
