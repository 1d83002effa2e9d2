import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { createGateway, createServiceLog } from "@proj/gateway-core";
import { parseConfig } from "@proj/gateway-protocol";

const message = { role: "assistant", content: "hello" };
const completion = { id: "1", choices: [{ index: 0, message, finish_reason: "stop" }] };
const model = createServer((request, response) => {
  request.resume();
  response.setHeader("content-type", "application/json").end(JSON.stringify(completion));
}).listen(0, "127.0.0.1");
await once(model, "listening");
const address = model.address();
assert(typeof address === "object" && address !== null);

const config = {
  listen_port: 0,
  storage_config: { db_url: "sqlite://data/gateway.db" },
  llm_routes: { small: { base_url: `http://127.0.0.1:${address.port}/v1` } },
};
const log = createServiceLog({ path: "logs/gateway.log" });
const gateway = await createGateway(parseConfig(JSON.stringify(config), "here", {}), { log });
const { url } = await gateway.listen();
const session = `${url}/v1/sessions/run-${Date.now()}`;
const answer = await fetch(`${session}/chat/completions`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ model: "small", messages: [{ role: "user", content: "hi" }] }),
});
assert.deepEqual(await answer.json(), completion);
const step = await fetch(`${session}/latest-success-step?model=small`);
assert.match(await step.text(), /1/);

const { lost_rows } = await gateway.close();
assert.equal(lost_rows, 0);
await log.close();
model.close();
