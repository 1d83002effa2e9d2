from anthropic import Anthropic, beta_tool

from tool import QUESTION, add

MESSAGES = [{"role": "user", "content": QUESTION}]


def open_client(base_url):
    return Anthropic(base_url=base_url, api_key="none")


def text_of(message):
    return "".join(block.text for block in message.content if block.type == "text")


def plain(base_url, model):
    client = open_client(base_url)
    return text_of(client.messages.create(model=model, max_tokens=1000, messages=MESSAGES))


def streamed(base_url, model):
    client = open_client(base_url)
    with client.messages.stream(model=model, max_tokens=1000, messages=MESSAGES) as stream:
        return text_of(stream.get_final_message())


def tools(base_url, model):
    # By itself it leaves the history with Anthropic, where no other upstream has it.
    runner = open_client(base_url).beta.messages.tool_runner(
        model=model, max_tokens=1000, messages=MESSAGES, tools=[beta_tool(add)]
    )
    return text_of(runner.until_done())
