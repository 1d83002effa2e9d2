import json
import os

# It would read its list of prices from the internet.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import litellm

from tool import PARAMETERS, QUESTION, add


def ask(base_url, model, messages, **more):
    return litellm.completion(
        model=f"openai/{model}", api_base=base_url, api_key="none", messages=messages, **more
    )


def plain(base_url, model):
    messages = [{"role": "user", "content": QUESTION}]
    return ask(base_url, model, messages).choices[0].message.content


def streamed(base_url, model):
    messages = [{"role": "user", "content": QUESTION}]
    chunks = list(ask(base_url, model, messages, stream=True))
    return litellm.stream_chunk_builder(chunks).choices[0].message.content


def tools(base_url, model):
    messages = [{"role": "user", "content": QUESTION}]
    tool = {"type": "function", "function": {"name": "add", "parameters": PARAMETERS}}
    while True:
        message = ask(base_url, model, messages, tools=[tool]).choices[0].message
        if not message.tool_calls:
            return message.content
        messages.append(message.model_dump())
        for call in message.tool_calls:
            content = add(**json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": content})
