import { readFileSync } from "node:fs";
import { createGateway } from "@proj/gateway-core";
import {
  type GatewayConfig,
  parseConfig,
  type SimulationStartRequest,
} from "@proj/gateway-protocol";
import { callOf, readRecipe } from "@proj/launcher-client";
import {
  chatCompletion,
  type FaultyUpstream,
  messageObject,
  startFaultyUpstream,
  temporaryFolder,
} from "@proj/test-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { builtInRecipe, recipeNames } from "../src/recipes/recipe-files.ts";

// The instructions in docs/agents.md must work as written.

const page = readFileSync(new URL("../../../docs/agents.md", import.meta.url), "utf8");

/** The page's code blocks by the name after their language. */
const blocks = new Map(
  [...page.matchAll(/^```\w+ ([\w-]+)\n(.*?)^```$/gms)].map(([, name = "", text = ""]) => [
    name,
    text,
  ]),
);

const request: SimulationStartRequest = {
  session_id: "s",
  job_id: "job",
  simulation_id: "it",
  attempt: 1,
  env_name: null,
  env_params: null,
  group_id: null,
  llm_model: "demo",
  gateway_base_url: "http://127.0.0.1:8000",
  llm_base_url: "http://127.0.0.1:8000/v1/sessions/s",
  llm_api_key: null,
};
const home = "/home/agent";
const paths = { home, work: "/work", tmp: "/tmp" };
const recipes = recipeNames().map(builtInRecipe);

test("the page describes exactly the launcher's programs", () => {
  const told = [...page.matchAll(/^### (.*)$/gm)].map(([, title = ""]) => title);
  const names = told.slice(0, told.indexOf("Side calls"));
  expect(names.map((name) => name.toLowerCase().replace(" ", "-")).sort()).toEqual(recipeNames());
});

test.each(recipes)("$name is configured as in its recipe", (recipe) => {
  const { name } = recipe;
  const { files, env } = callOf(recipe, request, paths);
  const told = blocks.get(name) ?? "";
  const [file] = Object.values(files);
  if (file === undefined)
    expect(told).toBe(
      Object.entries(env)
        .map(([key, value]) => `${key}=${value}\n`)
        .join(""),
    );
  else if (file.startsWith("{")) expect(JSON.parse(told)).toEqual(JSON.parse(file));
  else expect(told).toBe(file);
});

test.each(recipes)("$name is started as its recipe does", (recipe) => {
  const { name } = recipe;
  const { env, command } = callOf(recipe, request, paths);
  const lines = (blocks.get(`${name}-run`) ?? "").trim().split("\n");
  const told = lines.pop() ?? "";
  for (const word of told.replaceAll("task.txt", '"$HOME/prompt"').split(" "))
    expect(command.split(" ")).toContain(word);
  for (const line of lines) {
    const [, variable = "", value] = /^export (\w+)=(.*)$/.exec(line) ?? [];
    expect({ [variable]: env[variable] }).toEqual({ [variable]: value });
  }
});

test("the page shows a recipe that can be read", () => {
  expect(readRecipe(parse(blocks.get("recipe") ?? ""))).toEqual(builtInRecipe("pi"));
  for (const name of ["inspect", "verifiers"])
    expect(readRecipe(parse(blocks.get(name) ?? ""))).toMatchObject({ name });
});

test("the rules for side calls are valid", () => {
  const { demo } = parseConfig(blocks.get("side-calls") ?? "", "page", {}).llm_routes;
  expect(demo?.side_calls?.when.map(({ name }) => name)).toEqual(["title", "memory"]);
});

describe("a route of the page reaches its provider", () => {
  let upstream: FaultyUpstream;

  beforeAll(async () => {
    upstream = await startFaultyUpstream(
      ({ path }, reply) =>
        void reply.json(path.endsWith("/messages") ? messageObject() : chatCompletion()),
    );
  });

  afterAll(() => upstream.close());

  const bearer = { authorization: "Bearer key-of-it" };
  test.each([
    { name: "openai", chat: "/v1/chat/completions", credential: bearer, model: "gpt-5-mini" },
    {
      name: "anthropic",
      messages: "/v1/messages",
      credential: { "x-api-key": "key-of-it" },
      model: "claude-sonnet-4-5",
    },
    {
      name: "azure",
      chat: "/openai/v1/chat/completions",
      credential: { "api-key": "key-of-it" },
      model: "my-deployment",
    },
    {
      name: "openrouter",
      chat: "/api/v1/chat/completions",
      messages: "/api/v1/messages",
      credential: bearer,
      model: "qwen/qwen3-coder",
    },
    {
      name: "vllm",
      chat: "/v1/chat/completions",
      messages: "/v1/messages",
      credential: bearer,
      model: "Qwen/Qwen3-8B",
    },
    {
      name: "sglang",
      chat: "/v1/chat/completions",
      messages: "/v1/messages",
      credential: bearer,
      model: "Qwen/Qwen3-8B",
    },
    { name: "ollama", chat: "/v1/chat/completions", credential: {}, model: "qwen3:8b" },
  ])("$name", async ({ name, chat, messages, credential, model }) => {
    await using gateway = await openGateway(blocks.get(name) ?? "", upstream.port);
    for (const [path, expected] of [
      ["/chat/completions", chat],
      ["/messages", messages],
    ] as const) {
      const answer = await gateway.ask(path);
      if (expected === undefined) {
        // Anthropic's API is off unless a route asks for it.
        if (path === "/messages" || name === "anthropic") expect(answer.status).toBe(404);
        continue;
      }
      expect(answer.status).toBe(200);
      const sent = upstream.requests.at(-1);
      expect(sent?.path).toBe(expected);
      expect(sent?.headers).toMatchObject(credential);
      expect(JSON.parse(sent?.body.toString() ?? "")).toMatchObject({ model });
    }
  });
});

/** A gateway with the page's routes, which lead to a test server at the same paths. */
async function openGateway(yaml: string, port: number) {
  const folder = await temporaryFolder();
  const text = yaml.replaceAll(/https?:\/\/[^/\s,\]]+/g, `http://127.0.0.1:${port}`);
  // All replicas would be this one server.
  const single = text.replace(/base_urls: \[([^,\]]+)[^\]]*\]/, "base_url: $1");
  const names = [...single.matchAll(/\$\{(\w+)\}/g)].map(([, name = ""]) => name);
  const env = Object.fromEntries(names.map((name) => [name, "key-of-it"]));
  const config: GatewayConfig = {
    ...parseConfig(single, "page", env),
    listen_port: 0,
  };
  const log = { info: () => {}, warn: () => {}, error: () => {}, close: async () => {} };
  const db_url = `sqlite://${folder.path}/gateway.db`;
  const gateway = await createGateway(
    {
      ...config,
      storage_config: { ...config.storage_config, db_url },
      request_log: { ...config.request_log, enabled: false },
    },
    { log },
  );
  const { url } = await gateway.listen();
  return {
    ask: (path: string) =>
      fetch(`${url}/v1/sessions/s${path}`, {
        method: "POST",
        body: JSON.stringify({
          model: "demo",
          max_tokens: 9,
          messages: [{ role: "user", content: "Hello" }],
        }),
      }),
    [Symbol.asyncDispose]: async () => {
      await gateway.close();
      await folder.remove();
    },
  };
}
