import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  chatCompletion,
  chatStream,
  type FaultyUpstream,
  startFaultyUpstream,
  startProcess,
  temporaryFolder,
} from "@proj/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addMadeUpApi, modelApis } from "./made-up-api/copied-apis.ts";

// An API is one folder of model-apis and its entries in the two lists: nothing else in the gateway names it.

const root = fileURLToPath(new URL("../../..", import.meta.url));
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

let place: Awaited<ReturnType<typeof temporaryFolder>>;
let copy: string;
let upstream: FaultyUpstream;

beforeAll(async () => {
  place = await temporaryFolder();
  copy = join(place.path, "model-apis");
  await mkdir(copy);
  await addMadeUpApi(copy);
  upstream = await startFaultyUpstream();
});

afterAll(async () => {
  await upstream.close();
  await place.remove();
});

test("the gateway compiles with it", { timeout: 120_000 }, async () => {
  const source = join(copy, "src");
  const entry = (name: string): string[] => [join(source, name)];
  await writeFile(
    join(place.path, "tsconfig.json"),
    JSON.stringify({
      extends: join(root, "tsconfig.base.json"),
      compilerOptions: {
        typeRoots: [join(root, "apps/gateway/node_modules/@types")],
        paths: {
          "@proj/model-apis": entry("index.ts"),
          "@proj/model-apis/names": entry("names.ts"),
          "@proj/model-apis/*": entry("*/index.ts"),
        },
      },
      files: [join(root, "apps/gateway/src/bin.ts")],
    }),
  );
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const args = [compiler, "-p", place.path];
  const { stdout } = await promisify(execFile)(process.execPath, args).catch(
    (error: { readonly stdout: string }) => error,
  );
  expect(stdout).toBe("");
});

test("it is answered, recorded, and stopped at the budget", async () => {
  const config = {
    listen_port: 0,
    storage_config: { db_url: "sqlite://gateway.db" },
    request_log: { enabled: false },
    max_steps: 2,
    llm_routes: { policy: { base_url: upstream.url, api_key: "secret", endpoints: ["made_up"] } },
  };
  await writeFile(join(place.path, "gateway.yaml"), JSON.stringify(config));
  const program = startProcess(
    [
      ...["--import", here("./made-up-api/redirect.mjs")],
      ...[here("../src/bin.ts"), "--config", "gateway.yaml"],
    ],
    { cwd: place.path, env: { MODEL_APIS: modelApis, MODEL_APIS_COPY: copy } },
  );
  await using _program = program;
  const url = (await program.line(/^gateway +http/)).replace(/^gateway +/, "");
  const post = (body: object): Promise<Response> =>
    fetch(`${url}/v1/sessions/s/made/up`, {
      method: "POST",
      body: JSON.stringify({ model: "policy", messages: [], ...body }),
    });
  upstream.script((_request, reply) => void reply.json(chatCompletion()));
  expect(await (await post({})).json()).toEqual(JSON.parse(JSON.stringify(chatCompletion())));
  expect(upstream.requests.at(-1)).toMatchObject({
    path: "/v1/made/up",
    headers: { authorization: "Bearer secret" },
  });
  const events = chatStream(chatCompletion());
  upstream.script((_request, reply) => void reply.events(events));
  expect(await (await post({ stream: true })).text()).toBe(Buffer.concat(events).toString());
  const stop = await post({});
  expect(stop.headers.get("x-gateway-stop")).toBe("max_steps");
  expect(await stop.text()).toContain("[gateway] step budget reached");
  const { steps } = (await (await fetch(`${url}/v1/sessions/s/steps`)).json()) as {
    steps: readonly { meta_json: string }[];
  };
  expect(steps.map(({ meta_json }) => JSON.parse(meta_json))).toMatchObject([
    { endpoint: "made_up", completion_tokens: 5, is_stream: false },
    { endpoint: "made_up", completion_tokens: 5, is_stream: true },
  ]);
});
