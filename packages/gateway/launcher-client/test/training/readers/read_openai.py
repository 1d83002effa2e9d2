"""Validates each line against OpenAI's types of a chat request."""

import json
import sys

from lines import lines
from openai.types.chat import ChatCompletionFunctionToolParam, ChatCompletionMessageParam
from pydantic import TypeAdapter

message_type = TypeAdapter(ChatCompletionMessageParam)
tool_type = TypeAdapter(ChatCompletionFunctionToolParam)
# Of fine-tuning alone.
weight = {"weight"}

for line in lines(sys.argv[1]):
    assert line.keys() <= {"messages", "tools"}
    called = []
    for message in line["messages"]:
        read = message_type.validate_python(message)
        calls = list(read.get("tool_calls") or [])
        assert message.keys() - weight <= read.keys(), message.keys() - read.keys()
        # What OpenAI demands of a request holds for a training file as well.
        if read["role"] == "tool":
            called.remove(read["tool_call_id"])
        else:
            assert called == [], f"{called} has no result"
        called += [call["id"] for call in calls]
    for tool in line.get("tools", []):
        tool_type.validate_python(tool)
    print(json.dumps({
        "roles": [message["role"] for message in line["messages"]],
        "tools": [tool["function"]["name"] for tool in line.get("tools", [])],
    }))
