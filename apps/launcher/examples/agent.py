import json, sys
from openai import OpenAI

request = json.load(sys.stdin)
client = OpenAI(base_url=request["llm_base_url"], api_key=request["llm_api_key"] or "none")
answer = client.chat.completions.create(
    model=request["llm_model"],
    messages=[{"role": "user", "content": request["env_params"]["question"]}],
)
right = request["env_params"]["answer"] in answer.choices[0].message.content
print(json.dumps({"status": "completed", "total_reward": float(right)}))
