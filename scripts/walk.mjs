import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createGateway, createServiceLog } from "../packages/gateway/core/src/index.ts";
import { parseConfig } from "../packages/gateway/protocol/src/index.ts";

// Prints the source files with a named function that runs for one chat bound to a session, on a warm gateway and its
// main thread. Run it with `node --conditions=@proj/source scripts/walk.mjs`.

const packages = pathToFileURL(fileURLToPath(new URL("../packages/", import.meta.url))).href;
const answer = JSON.stringify({
  ...{ id: "chatcmpl-1", object: "chat.completion", created: 1_767_225_600, model: "small" },
  choices: [
    {
      ...{ index: 0, finish_reason: "stop", logprobs: null },
      message: { role: "assistant", content: "Hello".repeat(100), refusal: null },
    },
  ],
  usage: { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 },
});
const upstream = createServer((request, response) => {
  request.resume().on("end", () => {
    response.writeHead(200, { "content-type": "application/json" }).end(answer);
  });
});
await new Promise((resolve) => upstream.listen(0, "127.0.0.1", resolve));

const folder = await mkdtemp(join(tmpdir(), "walk-"));
const log = createServiceLog({ path: join(folder, "gateway.log") });
const config = parseConfig(
  JSON.stringify({
    listen_port: 0,
    storage_config: { db_url: `sqlite://${join(folder, "gateway.db")}` },
    request_log: { path: join(folder, "requests.jsonl") },
    llm_routes: { small: { base_url: `http://127.0.0.1:${upstream.address().port}/v1` } },
  }),
  "gateway.yaml",
);
const gateway = await createGateway(config, { log });
const { url } = await gateway.listen();

const body = JSON.stringify({
  model: "small",
  messages: [{ role: "user", content: "Hello".repeat(200) }],
});
async function chat() {
  const asked = await fetch(`${url}/v1/sessions/s/chat/completions`, { method: "POST", body });
  const step = asked.headers.get("x-gateway-step-id");
  await asked.text();
  if (asked.status !== 200 || step === null)
    throw new Error(`the chat is answered ${asked.status}`);
}

for (let call = 0; call < 20; call += 1) await chat();
const inspector = new Session();
inspector.connect();
await inspector.post("Profiler.enable");
await inspector.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
await inspector.post("Profiler.takePreciseCoverage");
await chat();
const { result } = await inspector.post("Profiler.takePreciseCoverage");
inspector.disconnect();

const walked = result
  .filter(({ url: file }) => file.startsWith(packages))
  .map(({ url: file, functions }) => {
    const ran = functions.filter(({ functionName, ranges: [{ count }] }) => functionName && count);
    return { file: file.slice(packages.length), functions: ran.length };
  })
  .filter(({ functions }) => functions > 0)
  .toSorted((one, other) => (one.file < other.file ? -1 : 1));
for (const { file, functions } of walked) console.log(`${functions}\t${file}`);
const folders = new Set(walked.map(({ file }) => file.slice(0, file.lastIndexOf("/"))));
console.log(`${walked.length} files in ${folders.size} folders`);

await gateway.close();
await log.close();
upstream.closeAllConnections();
upstream.close();
await rm(folder, { recursive: true });
