import os

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
os.environ["MSWEA_COST_TRACKING"] = "ignore_errors"

from minisweagent.models.litellm_textbased_model import LitellmTextbasedModel

from tool import QUESTION


def plain(base_url, model):
    agent_model = LitellmTextbasedModel(
        model_name=f"openai/{model}",
        model_kwargs={"api_base": base_url, "api_key": "none"},
        action_regex="(19 \\+ 23)",
        cost_tracking="ignore_errors",
    )
    return agent_model.query([{"role": "user", "content": QUESTION}])["content"]
