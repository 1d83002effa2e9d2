import json
import urllib.request

import pytest

from gateway_client import Gateway, Launcher


def pytest_addoption(parser):
    parser.addoption("--gateway", required=True, help="the base URL of a running gateway")
    parser.addoption("--db", required=True, help="its storage_config.db_url")
    parser.addoption("--launcher", required=True, help="the launcher's command, as a JSON list")


@pytest.fixture(scope="session")
def gateway(request):
    return Gateway(request.config.getoption("--gateway"), api_key="opens")


@pytest.fixture(scope="session")
def launcher(request, gateway):
    command = json.loads(request.config.getoption("--launcher"))
    return Launcher(gateway, request.config.getoption("--db"), command, session_secret="sixteen letters!")


@pytest.fixture(scope="session")
def ask():
    """An agent that asks its question, and fails if there is none."""

    def agent(request):
        question = {"role": "user", "content": request["env_params"]["question"]}
        body = json.dumps({"model": request["llm_model"], "messages": [question]}).encode()
        key = {"authorization": f"Bearer {request['llm_api_key']}"}
        headers = {"content-type": "application/json", **key}
        call = urllib.request.Request(f"{request['llm_base_url']}/chat/completions", body, headers)
        with urllib.request.urlopen(call, timeout=30) as answer:
            answer.read()
        return {"status": "completed", "total_reward": 0.125}

    return agent
