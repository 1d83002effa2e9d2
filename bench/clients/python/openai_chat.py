import json

from openai import OpenAI

from tool import PARAMETERS, QUESTION, add


def plain(base_url, model):
    client = OpenAI(base_url=base_url, api_key="none")
    messages = [{"role": "user", "content": QUESTION}]
    return client.chat.completions.create(model=model, messages=messages).choices[0].message.content


def streamed(base_url, model):
    client = OpenAI(base_url=base_url, api_key="none")
    messages = [{"role": "user", "content": QUESTION}]
    with client.chat.completions.stream(model=model, messages=messages) as stream:
        return stream.get_final_completion().choices[0].message.content


def tools(base_url, model):
    client = OpenAI(base_url=base_url, api_key="none")
    messages = [{"role": "user", "content": QUESTION}]
    tool = {"type": "function", "function": {"name": "add", "parameters": PARAMETERS}}
    while True:
        answer = client.chat.completions.create(model=model, messages=messages, tools=[tool])
        message = answer.choices[0].message
        if not message.tool_calls:
            return message.content
        messages.append(message)
        for call in message.tool_calls:
            content = add(**json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": content})
