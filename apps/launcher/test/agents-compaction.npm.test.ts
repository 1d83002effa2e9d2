import { delimiter } from "node:path";
import {
  type EngineQuestion,
  type EngineSaying,
  isLeftOut,
  qwen3Folder,
  startSamplingEngine,
} from "@proj/test-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installed } from "./agents/installed-programs.ts";
import { metaOf, outlineOf, sessionsOf, stepsOf } from "./agents/recorded-steps.ts";
import {
  fullPrompt,
  isCompaction,
  lastWord,
  recap,
  type ScriptedModel,
  startScriptedModel,
} from "./agents/scripted-model.ts";
import { type Gateway, launch, startGateway } from "./launcher.ts";

// Real programs that compact their conversation when the model reports that its window is full.

const words = ["one", "two", "three"];
const commands = words.map((word) => `echo ${word} >> steps.txt`);

/** The same model behind an engine, which says nothing of a session but its prompt. */
function policy({ text, tools, request }: EngineQuestion): EngineSaying {
  if (isCompaction({ headers: request.headers, body: Buffer.from(text) }))
    return { text: `<analysis>It is short.</analysis>\n<summary>${recap}</summary>` };
  const turn = text.includes(recap)
    ? Math.max(2, 1 + commands.findLastIndex((command) => text.includes(command)))
    : text.split("<tool_response>").length - 1;
  const command = commands[turn];
  const name = ["exec_command", "Bash"].find((tool) => tools.includes(tool));
  if (command === undefined || name === undefined) return { text: lastWord };
  const input = name === "Bash" ? { command, description: "as told" } : { cmd: command };
  const full = turn === 1 ? { prompt_tokens: fullPrompt } : {};
  return { reasoning: "Next.", calls: [{ name, input }], ...full };
}

let engine: Awaited<ReturnType<typeof startSamplingEngine>>;
let model: ScriptedModel;
let gateway: Gateway;

beforeAll(async () => {
  engine = await startSamplingEngine(policy);
  model = await startScriptedModel({ commands, fullAfter: 2 });
  const route = { base_url: model.url, endpoints: ["responses", "messages"] };
  const exact = { base_url: engine.url, engine: "vllm", tokenizer: qwen3Folder };
  gateway = await startGateway({ llm_routes: { demo: route, policy: exact } });
  const env_params = { prompt: "Write the steps down." };
  await gateway.write("s.yaml", JSON.stringify([{ simulation_id: "it", env_params }]));
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
  await engine.close();
});

const judge = `node -e 'const {workdir} = JSON.parse(require("fs").readFileSync(0)); console.log(require("fs").readFileSync(workdir + "/steps.txt", "utf8") === "one\\ntwo\\nthree\\n" ? 1 : 0)'`;

async function runTask(name: string, bin: string | null, route: string, job: string) {
  const { code, stdout, stderr } = await launch(
    [
      ...["run", "s.yaml", "--agent", name, "--llm-model", route, "--job-id", job],
      ...["--db-path", gateway.db_url, "--gateway-base-url", gateway.url],
      ...["--evaluator-command", judge],
    ],
    { cwd: gateway.folder, env: { PATH: `${bin}${delimiter}${process.env.PATH}` } },
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/finished +it {2}reward 1,/);
}

/** Of each step: what the program says that its request is for, and why its sequence begins. */
const compacting: Readonly<Record<string, readonly (readonly [string | null, string])[]>> = {
  codex: [
    ["turn", "first"],
    ["turn", "retokenized"],
    ["compaction", "side_call"],
    ["turn", "compacted"],
    ["turn", "retokenized"],
  ],
  // It does not say which request is for the summary. That one leaves out the last answer, and adds to the message
  // before it; the next one has the summary, the last answer and its result.
  "claude-code": [
    [null, "first"],
    [null, "retokenized"],
    [null, "history_rewritten"],
    [null, "compacted"],
    [null, "retokenized"],
  ],
};

const programs = installed.filter(({ name }) => compacting[name] !== undefined);

describe.concurrent.each(programs)("$name $version", ({ name, bin }) => {
  const leftOut = isLeftOut(`the program ${name}`, bin !== null, "it needs npm and its registry");

  test.skipIf(leftOut)("compacts its conversation, and sequences say where", async () => {
    await runTask(name, bin, "demo", name);
    const expected = compacting[name] ?? [];
    const [session_id = ""] = await sessionsOf(gateway, name);
    const steps = await stepsOf(gateway, session_id);
    expect(outlineOf(steps)).toEqual(
      expected.map((_, at) => {
        return { step_id: at + 1, status_code: 200, retry_of: null, attempts: 1 };
      }),
    );
    // Codex calls `responses/compact` only for providers that are OpenAI or Azure.
    const api = name === "codex" ? "responses" : "messages";
    expect(model.asked(session_id).map(({ path }) => path)).toEqual(
      expected.map(() => expect.stringMatching(new RegExp(`/v1/${api}(\\?|$)`))),
    );
    const kinds = steps.map((step) => Object(metaOf(step).agent).request_kind ?? null);
    expect(kinds).toEqual(expected.map(([kind]) => kind));
    const [last] = steps.slice(-1);
    expect(last?.is_terminal).toBe(true);
    expect(last?.response?.toString()).toContain(lastWord);

    const exported = await launch(
      [
        ...["export", "--job-id", name, "--format", "sequences", "--side-calls"],
        ...["--db-path", gateway.db_url],
      ],
      { cwd: gateway.folder },
    );
    const begun = new Map(
      exported.stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).split)
        .map(({ step, reason }) => [step, reason]),
    );
    expect(begun).toEqual(new Map(expected.map(([, reason], at) => [`demo/${at + 1}`, reason])));
  });

  test.skipIf(leftOut)("with an engine, only a compaction breaks the conversation", async () => {
    const job = `${name}-policy`;
    await runTask(name, bin, "policy", job);
    const [session_id = ""] = await sessionsOf(gateway, job);
    const steps = await stepsOf(gateway, session_id);
    const engines = steps.map(({ response }) => JSON.parse(String(response)).engine);
    const prompts = engines.map(({ made, reason }) => reason ?? made);
    // Codex asks for the summary without tools; Claude Code goes back to the answer before the last one for it.
    const summing = name === "codex" ? "tools_changed" : "continued";
    expect(prompts).toEqual(["rendered", "continued", summing, "compacted", "continued"]);
    const { stdout } = await launch(
      ["doctor", "--json", "--job-id", job, "--db-path", gateway.db_url],
      { cwd: gateway.folder },
    );
    // Nobody trains on Codex's summary, which is a side call.
    const lengths: number[] = engines.map(({ token_ids }) => token_ids.length);
    const sampled = lengths.reduce((sum, length) => sum + length, 0);
    const aside = name === "codex" ? (lengths[2] ?? 0) : 0;
    expect(JSON.parse(stdout).delivered_fraction).toBeCloseTo(1 - aside / sampled);
  });
});
