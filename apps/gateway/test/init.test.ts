import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseConfig, questionableSettings } from "@proj/gateway-protocol";
import { runProgram } from "@proj/program";
import {
  qwen3Folder,
  startDemoUpstream,
  startFaultyUpstream,
  startSamplingEngine,
  temporaryFolder,
} from "@proj/test-kit";
import { expect, test, vi } from "vitest";
import { gateway } from "../src/main.ts";
import { providers } from "../src/providers.ts";

/** Runs a command line in this process. */
async function run(...args: readonly string[]) {
  const said = { stdout: "", stderr: "" };
  const add = (name: keyof typeof said) => (text: unknown) => {
    said[name] += `${text}\n`;
    return true;
  };
  const spies = [
    vi.spyOn(console, "log").mockImplementation(add("stdout")),
    vi.spyOn(console, "error").mockImplementation(add("stderr")),
    vi.spyOn(process.stdout, "write").mockImplementation(add("stdout")),
  ];
  try {
    return { code: await runProgram(gateway, args, { calledAs: "npm run gateway --" }), ...said };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

test.each(Object.entries(providers))(
  "init %s writes a valid configuration",
  async (name, provider) => {
    await using folder = await temporaryFolder();
    const output = join(folder.path, "gateway.yaml");
    const { code, stdout } = await run("init", name, "--output", output, "--model", "m 1");
    expect(code).toBe(0);
    expect(stdout).toContain(`npm run gateway -- check --config ${output} --live`);
    const text = await readFile(output, "utf8");
    const key = provider.variable === null ? {} : { [provider.variable]: "a-key" };
    const config = parseConfig(text, output, key);
    expect(config.llm_routes.policy).toMatchObject({ upstream_model: "m 1" });
    expect(questionableSettings(config)).toEqual([]);
    if (provider.variable === null) return;
    expect(stdout).toContain(`export ${provider.variable}=…`);
    expect(() => parseConfig(text, output, { [provider.variable ?? ""]: "" })).toThrow("is empty");
  },
);

test.each(["vllm", "sglang"])("init %s writes a route that can be trained on", async (name) => {
  await using folder = await temporaryFolder();
  const model = join(folder.path, "model");
  await mkdir(model);
  await writeFile(join(model, "tokenizer.json"), "{}");
  const write = async (of: string) => {
    const output = join(folder.path, `${of.length}.yaml`);
    expect(await run("init", name, "--output", output, "--model", of)).toMatchObject({ code: 0 });
    const text = await readFile(output, "utf8");
    return { text, ...parseConfig(text, output, {}).llm_routes.policy };
  };
  const served = ["chat_completions", "responses", "messages", "generate_content"];
  const known = await write(model);
  expect(known).toMatchObject({ engine: name, tokenizer: model, endpoints: served });
  const named = await write("Qwen/Qwen3-8B");
  const tokenizer = name === "vllm" ? null : "/models/policy";
  expect(named).toMatchObject({ engine: name, tokenizer, endpoints: served });
  expect(named.text).toContain("tokenizer: /models/policy");
});

test("init overwrites nothing, and suggests the provider that was meant", async () => {
  await using folder = await temporaryFolder();
  const output = join(folder.path, "gateway.yaml");
  await run("init", "ollama", "--output", output);
  const before = await readFile(output, "utf8");
  const again = await run("init", "openai", "--output", output);
  expect(again.stderr).toContain(`${output} already exists; choose another file with --output`);
  expect(again.code).toBe(3);
  expect(await readFile(output, "utf8")).toBe(before);
  const mistyped = await run("init", "opnai");
  expect(mistyped.stderr).toContain("there is no provider 'opnai'; did you mean 'openai'?");
  expect(mistyped.code).toBe(2);
});

test("check --live says which upstreams return a token, and why the others do not", async () => {
  await using folder = await temporaryFolder();
  const upstream = await startDemoUpstream({ models: ["small"] });
  const config = join(folder.path, "gateway.yaml");
  const route = (model: string): string =>
    `{ base_url: "${upstream.url}", upstream_model: ${model} }`;
  await writeFile(config, `llm_routes: { good: ${route("small")}, bad: ${route("smal")} }`);
  const { code, stderr } = await run("check", "--config", config, "--live");
  expect(stderr).toContain(`✓ good at ${upstream.url} gave a token\n`);
  expect(stderr).toContain(`✗ bad at ${upstream.url}: the upstream has no model 'smal'`);
  expect(code).toBe(1);
  await upstream.close();
});

test("check --live asks engines whether their tokens can be trained on", async () => {
  await using folder = await temporaryFolder();
  await using engine = await startSamplingEngine(() => ({ text: "Yes." }));
  const config = join(folder.path, "gateway.yaml");
  const route = { base_url: engine.url, engine: "vllm", tokenizer: qwen3Folder };
  await writeFile(config, JSON.stringify({ llm_routes: { policy: route } }));
  const { code, stdout, stderr } = await run("check", "--config", config, "--live", "--json");
  expect(stderr).toContain(`✓ policy at ${engine.url}: token_ids: `);
  const { upstreams, engines } = JSON.parse(stdout);
  expect(upstreams).toMatchObject([{ route: "policy" }]);
  expect(engines).toMatchObject([{ model: "policy", engine: "vllm" }]);
  expect(code).toBe(upstreams[0].problem === null ? 0 : 1);
});

test("check --live names what an answer's usage has that the prices do not cover", async () => {
  await using folder = await temporaryFolder();
  await using upstream = await startFaultyUpstream();
  const config = join(folder.path, "gateway.yaml");
  const prices = "prices: [{ input: 1, output: 2 }]";
  await writeFile(config, `llm_routes: { good: { base_url: "${upstream.url}", ${prices} } }`);
  const checked = run("check", "--config", config, "--live");
  const usage = { prompt_tokens: 1, completion_tokens: 1 };
  await (await upstream.nextRequest()).reply.json({ data: [{ id: "good" }] });
  const answer = { choices: [{ finish_reason: "stop" }], service_tier: "priority", usage };
  await (await upstream.nextRequest()).reply.json(answer);
  const { code, stderr } = await checked;
  expect(stderr).toContain(
    "warning: answers of route 'good' report tier priority, and its prices have no service_tiers.priority",
  );
  expect(code).toBe(0);
});
