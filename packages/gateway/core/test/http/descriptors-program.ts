import { closeSync, openSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseConfig } from "@proj/gateway-protocol";
import { chatCompletion, listen } from "@proj/test-kit";
import { createGateway, createServiceLog } from "../../src/index.ts";

// Runs with few descriptors: calls its own gateway while none is left, and prints what it saw.

const folder = process.argv[2] ?? "";
// Each request needs its own connection, and so a descriptor.
const upstream = await listen(
  createServer((req, res) => {
    req.resume().on("end", () => {
      const headers = { "content-type": "application/json", connection: "close" };
      res.writeHead(200, headers).end(JSON.stringify(chatCompletion()));
    });
  }),
);
const config = parseConfig(
  JSON.stringify({
    listen_port: 0,
    max_steps: 2,
    storage_config: { db_url: `sqlite://${join(folder, "gateway.db")}` },
    request_log: { enabled: false },
    llm_routes: { policy: { base_url: upstream.url } },
  }),
  "test.yaml",
  {},
);
const log = createServiceLog({ path: join(folder, "gateway.log") });
const gateway = await createGateway(config, { log });
const { port } = await gateway.listen();

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let said = 0;

function ask(method: string, path: string): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const asked = request({ port, method, path, agent }, (res) => {
    let text = "";
    res.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    res.on("end", () => resolve({ status: res.statusCode ?? 0, text }));
  });
  asked.on("error", reject);
  const messages = [{ role: "user", content: `Hello ${++said}` }];
  asked.end(method === "POST" ? JSON.stringify({ model: "policy", messages }) : undefined);
  return promise;
}

const chat = "/v1/sessions/s/chat/completions";
const before = await ask("POST", chat);
const taken: number[] = [];
/** Takes all, and what ended connections still give back. */
async function takeAll(): Promise<void> {
  for (let before = -1; before < taken.length; ) {
    before = taken.length;
    try {
      for (;;) taken.push(openSync("/dev/null", "r"));
    } catch {
      // None is left.
    }
    await delay(200);
  }
}
await takeAll();
const during = await ask("POST", chat);
await takeAll();
const metrics = await ask("GET", "/metrics");
for (const descriptor of taken) closeSync(descriptor);
const after = await ask("POST", chat);
const status = await ask("GET", "/v1/sessions/s");
console.log(JSON.stringify({ before, during, metrics, after, status }));
agent.destroy();
await gateway.close();
await log.close();
await upstream.close();
