import assert from "node:assert/strict";
import { startDemoUpstream } from "@proj/demo-upstream";

const upstream = await startDemoUpstream({ port: 0 }); // any free port; options: DemoUpstreamOptions

// upstream.url is the base URL for any OpenAI client.
const response = await fetch(`${upstream.url}/chat/completions`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({
    model: "any",
    messages: [{ role: "user", content: "What is 19 + 23?" }],
  }),
});
assert.match(await response.text(), /42/);

await upstream.close();
