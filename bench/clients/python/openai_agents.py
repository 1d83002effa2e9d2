import asyncio

from agents import Agent, OpenAIProvider, RunConfig, Runner, function_tool, set_tracing_disabled

from tool import QUESTION, add

# Its traces go to OpenAI, whatever the base URL.
set_tracing_disabled(True)


def config(base_url):
    provider = OpenAIProvider(base_url=base_url, api_key="none", use_responses=True)
    return RunConfig(model_provider=provider)


# Its connections belong to the loop that they were opened in.
loop = asyncio.new_event_loop()


def answer(agent, base_url):
    run = Runner.run(agent, QUESTION, run_config=config(base_url), max_turns=20)
    return loop.run_until_complete(run).final_output


def plain(base_url, model):
    return answer(Agent(name="it", model=model), base_url)


def streamed(base_url, model):
    async def run():
        agent = Agent(name="it", model=model)
        result = Runner.run_streamed(agent, QUESTION, run_config=config(base_url))
        async for _ in result.stream_events():
            pass
        return result.final_output

    return loop.run_until_complete(run())


def tools(base_url, model):
    return answer(Agent(name="it", model=model, tools=[function_tool(add)]), base_url)
