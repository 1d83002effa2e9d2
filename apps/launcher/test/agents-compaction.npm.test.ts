import { delimiter } from "node:path";
import { isLeftOut } from "@proj/test-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installed } from "./agents/installed-programs.ts";
import { metaOf, outlineOf, sessionsOf, stepsOf } from "./agents/recorded-steps.ts";
import { lastWord, type ScriptedModel, startScriptedModel } from "./agents/scripted-model.ts";
import { type Gateway, launch, startGateway } from "./launcher.ts";

// Real programs that compact their conversation when the model reports that its window is full; with an engine, the
// bench's test of programs has them do so.

const words = ["one", "two", "three"];
const commands = words.map((word) => `echo ${word} >> steps.txt`);

let model: ScriptedModel;
let gateway: Gateway;

beforeAll(async () => {
  model = await startScriptedModel({ commands, fullAfter: 2 });
  const route = { base_url: model.url, endpoints: ["responses", "messages"] };
  gateway = await startGateway({ llm_routes: { demo: route } });
  const env_params = { prompt: "Write the steps down." };
  await gateway.write("s.yaml", JSON.stringify([{ simulation_id: "it", env_params }]));
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

const judge = `node -e 'const {workdir} = JSON.parse(require("fs").readFileSync(0)); console.log(require("fs").readFileSync(workdir + "/steps.txt", "utf8") === "one\\ntwo\\nthree\\n" ? 1 : 0)'`;

async function runTask(name: string, bin: string | null) {
  const { code, stdout, stderr } = await launch(
    [
      ...["run", "s.yaml", "--agent", name, "--llm-model", "demo", "--job-id", name],
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
    await runTask(name, bin);
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
});
