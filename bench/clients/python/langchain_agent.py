from langchain.agents import create_agent
from langchain_openai import ChatOpenAI

from tool import QUESTION, add


def open_model(base_url, model):
    return ChatOpenAI(model=model, base_url=base_url, api_key="none")


def plain(base_url, model):
    return open_model(base_url, model).invoke(QUESTION).text


def streamed(base_url, model):
    return "".join(str(chunk.text) for chunk in open_model(base_url, model).stream(QUESTION))


def tools(base_url, model):
    agent = create_agent(open_model(base_url, model), tools=[add])
    answer = agent.invoke({"messages": [{"role": "user", "content": QUESTION}]})
    return answer["messages"][-1].text
