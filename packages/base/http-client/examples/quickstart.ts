import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { ApiError, createHttpClient, poll } from "@proj/http-client";

const answers = [503, 200, 404, 200];
const server = createServer((_req, res) => {
  const status = answers.shift() ?? 200;
  res.writeHead(status, { "content-type": "application/json" });
  const error = { message: "There is no such job.", code: "job_not_found" };
  res.end(
    JSON.stringify(status < 400 ? { state: answers.length === 0 ? "done" : "new" } : { error }),
  );
}).listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
assert(typeof address === "object" && address !== null);

const client = createHttpClient({
  baseUrl: `http://127.0.0.1:${address.port}/v1`,
  headers: () => ({ authorization: "Bearer a-key" }),
});

// The first attempt is answered 503; idempotent calls are retried.
const { body } = await client.request("GET", "/jobs/7", { query: { fields: ["state", "name"] } });
assert.deepEqual(body, { state: "new" });

await assert.rejects(client.request("POST", "/jobs/8", { json: { state: "stop" } }), (error) => {
  assert(error instanceof ApiError);
  assert.equal(error.status, 404);
  assert.equal(error.code, "job_not_found");
  return true;
});

const state = await poll(
  async () => {
    const answer = await client.request("GET", "/jobs/7");
    return { done: true, value: answer.body };
  },
  { timeoutMs: 10_000 },
);
assert.deepEqual(state, { state: "done" });

client.close();
server.close();
