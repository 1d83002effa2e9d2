import asyncio

from inspect_ai.model import GenerateConfig, get_model
from inspect_ai.tool import tool

from tool import QUESTION
from tool import add as add_numbers


@tool
def add():
    async def execute(a: float, b: float) -> str:
        """Adds two numbers.

        Args:
            a: one number
            b: the other
        """
        return add_numbers(a, b)

    return execute


def open_model(base_url, model):
    return get_model(
        f"openai/{model}",
        base_url=base_url,
        api_key="none",
        responses_api=False,
        config=GenerateConfig(),
    )


def plain(base_url, model):
    return asyncio.run(open_model(base_url, model).generate(QUESTION)).completion


def tools(base_url, model):
    _, output = asyncio.run(open_model(base_url, model).generate_loop(QUESTION, tools=[add()]))
    return output.completion
