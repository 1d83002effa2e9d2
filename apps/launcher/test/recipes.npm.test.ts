import { exportFormats } from "@proj/launcher-client";
import { endpointsByName } from "@proj/model-apis";
import { openJobReader } from "@proj/session-store";
import { agentPrograms, isLeftOut, npmProgram } from "@proj/test-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { playRecipe } from "./agents/play-recipe.ts";
import { metaOf, sessionsOf, stepsOf } from "./agents/recorded-steps.ts";
import { rolloutOf } from "./agents/rollout-of.ts";
import { type ScriptedModel, startScriptedModel } from "./agents/scripted-model.ts";
import { type Gateway, startGateway } from "./launcher.ts";

/** Programs by the names of their recipes, each from npm, pinned. agents.npm.test.ts has the others. */
const programs = await Promise.all(
  (["cline", "copilot", "gemini-cli", "pi"] as const).map(async (name) => {
    const { npmPackage, version } = agentPrograms[name];
    return { name, version, bin: await npmProgram(npmPackage, version) };
  }),
);

let model: ScriptedModel;
let gateway: Gateway;

beforeAll(async () => {
  model = await startScriptedModel({
    commands: ["echo one >> steps.txt", "echo two >> steps.txt"],
  });
  const endpoints = ["chat_completions", "responses", "messages", "generate_content"];
  gateway = await startGateway({
    llm_routes: { demo: { base_url: model.url, endpoints, prices: [{ input: 1, output: 2 }] } },
  });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

describe.each(programs)("$name $version", ({ name, bin }) => {
  const leftOut = isLeftOut(`the program ${name}`, bin !== null, "it needs npm and its registry");

  test.skipIf(leftOut)("works on a task by its recipe", { timeout: 200_000 }, async () => {
    await playRecipe(gateway, { name, bin: bin ?? "", steps: 3 });
    if (name === "gemini-cli") await compareWires(name);
  });
});

/** Says over every other wire what gemini-cli said: exports and costs are the same. */
async function compareWires(job_id: string): Promise<void> {
  const { db_url } = gateway;
  const [session_id = ""] = await sessionsOf(gateway, job_id);
  const steps = await stepsOf(gateway, session_id);
  const store = await openJobReader({ storage_type: "sqlite", storage_config: { db_url } });
  const left = async (id: string) => {
    const rollout = await rolloutOf(store, id);
    const place = { rollout: 0, group: 0, repetition: 0 };
    const formats = ["openai-finetuning", "messages", "sharegpt"];
    const lines = exportFormats
      .filter((format) => formats.includes(format.name))
      .map((format) => [...format.lines(rollout, place)]);
    const text = JSON.stringify(lines)
      .replaceAll(id, "SESSION")
      .replaceAll(session_id, "SESSION")
      // The Responses API alone wants to be told that a schema is not strict.
      .replace(/,\\*"strict\\*":false/g, "");
    // Its evaluator scored the program's session alone.
    const ids = new Set(["id", "tool_call_id", "evaluation"]);
    const { steps } = await store.readSteps({ session_id: id });
    return {
      lines: JSON.parse(text, (member, value) => (ids.has(member) ? undefined : value)),
      costs: steps.map((step) => metaOf(step).cost_nano_usd),
    };
  };
  try {
    const expected = await left(session_id);
    expect(expected.lines[0]).toMatchObject([{ tools: expect.anything() }]);
    expect(expected.costs).not.toContain(undefined);
    for (const [wire, path] of [
      ["chat_completions", "chat/completions"],
      ["responses", "responses"],
      ["messages", "messages"],
    ] as const) {
      for (const { request, messages } of steps) {
        const said = { ...JSON.parse(request ?? ""), contents: JSON.parse(messages ?? "") };
        const { conversation } = endpointsByName.generate_content.readRequest?.(said) ?? {};
        if (conversation === undefined) throw new Error("it cannot be read");
        const { body } = endpointsByName[wire].writeRequest?.(conversation) ?? {};
        const url = `${gateway.url}/v1/sessions/by-${wire}/${path}`;
        const sent = JSON.stringify({ max_tokens: 64, ...body, model: "demo" });
        const headers = { "content-type": "application/json" };
        const answer = await fetch(url, { method: "POST", headers, body: sent });
        expect(answer.status, await answer.text()).toBe(200);
      }
      expect(await left(`by-${wire}`), wire).toEqual(expected);
    }
  } finally {
    await store.close();
  }
}
