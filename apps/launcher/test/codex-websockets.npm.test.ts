import { join } from "node:path";
import { exportFormats, readRollout, sessionSteps, type WholeStep } from "@proj/launcher-client";
import { type JobReader, openJobReader } from "@proj/session-store";
import { isLeftOut } from "@proj/test-kit";
import { expect, test } from "vitest";
import { installed } from "./agents/installed-programs.ts";
import { metaOf } from "./agents/recorded-steps.ts";
import { runAgent } from "./agents/run-agent.ts";
import { lastWord, startScriptedModel } from "./agents/scripted-model.ts";
import { startGateway } from "./launcher.ts";

const codex = installed.find(({ name }) => name === "codex");
const leftOut = isLeftOut("the program codex", codex?.bin != null, "it needs npm");

test.skipIf(leftOut)(
  "codex over WebSockets leaves the same conversation, exports and costs as over HTTP",
  { timeout: 200_000 },
  async () => {
    if (codex?.bin == null) throw new Error("codex is not installed");
    const { bin, recipe } = codex;
    await using model = await startScriptedModel({ commands: ["echo one", "echo two"] });
    const prices = [{ input: 1, output: 2 }];
    await using gateway = await startGateway({
      llm_routes: { demo: { base_url: model.url, endpoints: ["responses"], prices } },
    });
    const [off, on] = ["supports_websockets = false", "supports_websockets = true"];
    const files: typeof recipe.files = JSON.parse(JSON.stringify(recipe.files).replace(off, on));
    const run = async (session_id: string, used: typeof recipe) => {
      const folder = join(gateway.folder, "same");
      const place = { bin, folder, session_id, gateway_base_url: gateway.url };
      const agent = await runAgent(used, place, "Write the steps down.");
      expect(await agent.ended, agent.output()).toBe(0);
    };
    await run("by-http-", recipe);
    await run("by-frame", { ...recipe, files });
    const { db_url } = gateway;
    const store = await openJobReader({ storage_type: "sqlite", storage_config: { db_url } });
    try {
      const [whole, framed] = [await read(store, "by-http-"), await read(store, "by-frame")];
      expect(whole.steps.map(continues)).toEqual([false, false, false]);
      expect(framed.steps.map(continues)).toEqual([false, true, true]);
      expect(framed.steps.map(said)).toEqual(whole.steps.map(said));
      expect(framed.steps.map(cost)).toEqual(whole.steps.map(cost));
      expect(framed.exports).toEqual(whole.exports);
      expect(framed.steps.at(-1)?.response).toContain(lastWord);
    } finally {
      await store.close();
    }
  },
);

async function read(store: JobReader, session_id: string) {
  const steps: WholeStep[] = [];
  for await (const step of sessionSteps(store, session_id)) steps.push(step);
  const rollout = await readRollout(store, {
    ...{ session_id, job_id: "j", simulation_id: "s", attempt: 1, env_name: "e", group_id: "g" },
    ...{ env_params: null, status: "finished", reward: 1, result: null, error: null },
    ...{ owner: null, heartbeat_at: null, created_at: "2026-01-01T00:00:00.000Z" },
    ...{ started_at: null, finished_at: null },
  });
  const place = { rollout: 0, group: 0, repetition: 0 };
  // The scripted model's token ids begin with the number of its request.
  const ofConversations = exportFormats.filter(({ needsHistory }) => needsHistory);
  const exports = ofConversations.map(({ name, lines }) => [
    name,
    unnamed(JSON.stringify([...lines(rollout, place)]), session_id),
  ]);
  return { steps, exports };
}

const continues = (step: WholeStep): boolean => metaOf(step).continues !== undefined;
const cost = (step: WholeStep): unknown => metaOf(step).cost_nano_usd;
const said = ({ messages, session_id }: WholeStep): unknown => unnamed(messages, session_id);

/** JSON without what names a session, an answer, a process or a moment. */
function unnamed(json: string | null, session_id: string): unknown {
  const text = (json ?? "null")
    .replaceAll(session_id, "SESSION")
    .replace(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, "ID")
    .replace(/(Wall time|Chunk ID): [\w.]+/g, "$1")
    .replace(/"timestamp":"[^"]*"/g, '"timestamp":""');
  const numbered = new Set(["id", "response_id", "prompt_token_ids"]);
  return JSON.parse(text, (name, value) => (numbered.has(name) ? undefined : value));
}
