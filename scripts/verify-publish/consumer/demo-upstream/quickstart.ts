import assert from "node:assert/strict";
import { startDemoUpstream } from "@proj/demo-upstream";

const upstream = await startDemoUpstream();
const answer = await fetch(`${upstream.url}/chat/completions`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ model: "demo", messages: [{ role: "user", content: "19 + 23" }] }),
});
assert.match(await answer.text(), /42/);
await upstream.close();
