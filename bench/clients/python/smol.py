from smolagents import OpenAIServerModel

from tool import QUESTION

MESSAGES = [{"role": "user", "content": [{"type": "text", "text": QUESTION}]}]


def open_model(base_url, model):
    return OpenAIServerModel(model_id=model, api_base=base_url, api_key="none")


def plain(base_url, model):
    return open_model(base_url, model).generate(MESSAGES).content


def streamed(base_url, model):
    deltas = open_model(base_url, model).generate_stream(MESSAGES)
    return "".join(delta.content or "" for delta in deltas)
