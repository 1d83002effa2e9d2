"""Prints the turns of each line as LLaMA-Factory converts them, and how its templates write calls and tools."""

import json
import sys
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Literal

import datasets
from definitions import definitions, packages


class Logger:
    """In the place of its own, which asks torch for its rank. It warns of what it skips."""

    def warning_rank0(self, text: str):
        raise ValueError(text)


def package(name: str) -> ModuleType:
    """One whose modules can be imported and whose own file, which imports all of them, is not run."""
    module = sys.modules[name] = ModuleType(name)
    module.__path__ = [str(packages / name.replace(".", "/"))]
    return module


package("llamafactory")
package("llamafactory.data")
logging = package("llamafactory.extras").logging = ModuleType("logging")
logging.get_logger = lambda name: Logger()
sys.modules["llamafactory.extras.logging"] = logging

from llamafactory.data.converter import get_dataset_converter  # noqa: E402
from llamafactory.data.formatter import FunctionFormatter, ToolFormatter  # noqa: E402

(DatasetAttr,) = definitions(
    "llamafactory/data/parser.py", "DatasetAttr", dataclass=dataclass, Any=Any, Literal=Literal
)
file, formatting = sys.argv[1:]
attributes = DatasetAttr("file", file, formatting=formatting, tools="tools")
if formatting == "sharegpt":
    attributes.system = "system"
else:
    attributes.join({
        "formatting": formatting,
        "columns": {"messages": "messages", "tools": "tools"},
        "tags": {
            **{"role_tag": "role", "content_tag": "content", "user_tag": "user"},
            **{"assistant_tag": "assistant", "observation_tag": "tool"},
            **{"function_tag": "function", "system_tag": "system"},
        },
    })
convert = get_dataset_converter(formatting, attributes, None)
words = {"tool_call_words": ("<tool_call>", "</tool_call>"), "thought_words": ("<think>", "</think>")}

for row in datasets.Dataset.from_json(file, cache_dir=f"{file}.cache"):
    read = convert(row)
    turns = read["_prompt"] + read["_response"]
    calls = [turn["content"] for turn in turns if turn["role"] == "function"]
    for style in ["default", "qwen"]:
        write = FunctionFormatter(slots=["{{content}}"], tool_format=style)
        written = [write.apply(content=call, **words) for call in calls]
        tools = ToolFormatter(tool_format=style).apply(content=read["_tools"] or "[]")
    print(json.dumps({
        "turns": [[turn["role"], turn["content"]] for turn in turns],
        "system": read["_system"],
        "calls": written,
        "tools": tools,
    }))
