from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from tool import QUESTION, add


def open_agent(base_url, model, tools=()):
    provider = OpenAIProvider(base_url=base_url, api_key="none")
    return Agent(OpenAIChatModel(model, provider=provider), tools=tools)


def plain(base_url, model):
    return open_agent(base_url, model).run_sync(QUESTION).output


def streamed(base_url, model):
    return open_agent(base_url, model).run_stream_sync(QUESTION).get_output()


def tools(base_url, model):
    return open_agent(base_url, model, [add]).run_sync(QUESTION).output
