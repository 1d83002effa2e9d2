import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { ApiError, createHttpClient } from "@proj/http-client";

const answers = [503, 200, 404];
const server = createServer((_req, res) => {
  const status = answers.shift() ?? 200;
  res.writeHead(status, { "content-type": "application/json" });
  const error = { message: "There is no such job.", code: "job_not_found" };
  res.end(JSON.stringify(status < 400 ? { state: "new" } : { error }));
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

client.close();
server.close();
