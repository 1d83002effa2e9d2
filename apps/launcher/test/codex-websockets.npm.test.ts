import { join } from "node:path";
import { exportFormats } from "@proj/launcher-client";
import { type JobReader, openJobReader } from "@proj/session-store";
import { sessionSteps, type WholeStep } from "@proj/session-store/answers";
import { isLeftOut, qwen3Folder, startSamplingEngine } from "@proj/test-kit";
import { expect, test } from "vitest";
import { ignoredMembers, installed } from "./agents/installed-programs.ts";
import { metaOf } from "./agents/recorded-steps.ts";
import { rolloutOf } from "./agents/rollout-of.ts";
import { runAgent } from "./agents/run-agent.ts";
import { lastWord, startScriptedModel } from "./agents/scripted-model.ts";
import { startGateway } from "./launcher.ts";

const codex = installed.find(({ name }) => name === "codex");
const leftOut = isLeftOut("the program codex", codex?.bin != null, "it needs npm");

const varying = /(?<=Wall time|Chunk ID): [\w.]+/g;

/** A task of two commands, over a model whose upstream keeps nothing, or over an engine. */
const commands = ["echo one", "echo two"];
const routes = {
  upstream: async () => {
    const model = await startScriptedModel({ commands });
    return { model, route: { base_url: model.url, endpoints: ["responses"] } };
  },
  engine: async () => {
    const model = await startSamplingEngine(({ text }) => {
      const cmd = commands[text.split("<tool_response>").length - 1];
      // What a command printed has times in it, of more or fewer tokens.
      const prompt_tokens = text.replace(varying, "").length;
      return cmd === undefined
        ? { text: lastWord, prompt_tokens }
        : { calls: [{ name: "exec_command", input: { cmd } }], prompt_tokens };
    });
    const route = { base_url: model.url, engine: "vllm", tokenizer: qwen3Folder };
    return { model: { ...model, [Symbol.asyncDispose]: () => model.close() }, route };
  },
};

test.skipIf(leftOut).each(["upstream", "engine"] as const)(
  "codex over WebSockets leaves the same conversation, exports and costs as over HTTP: %s",
  { timeout: 200_000 },
  async (kind) => {
    if (codex?.bin == null) throw new Error("codex is not installed");
    const { bin, recipe } = codex;
    const { model, route } = await routes[kind]();
    await using _ = model;
    const routeOf = (websockets: boolean) => ({
      llm_routes: { demo: { ...route, prices: [{ input: 1, output: 2 }], websockets } },
    });
    await using gateway = await startGateway(routeOf(true));
    // Codex asks over HTTP where it is told at once that there are no WebSockets.
    await using plain = await startGateway(routeOf(false));
    const run = async (session_id: string, { url } = gateway) => {
      const folder = join(gateway.folder, "same");
      const place = { bin, folder, session_id, gateway_base_url: url };
      const agent = await runAgent(recipe, place, "Write the steps down.");
      expect(await agent.ended, agent.output()).toBe(0);
    };
    const ignore = (await ignoredMembers("codex"))?.split(",");
    const fork = async (session_id: string, members: object) => {
      const body = JSON.stringify({ from: "by-frame", ignore, ...members });
      const url = `${gateway.url}/v1/sessions/${session_id}/fork`;
      const headers = { "content-type": "application/json" };
      const answer = await fetch(url, { method: "POST", headers, body });
      expect(answer.status, await answer.text()).toBe(200);
    };
    await run("by-http-", plain);
    await run("by-frame");
    const asked = model.requests.length;
    await fork("replayed", { mode: "replay" });
    await run("replayed");
    expect(model.requests.length).toBe(asked);
    await fork("forked--", { step: 2 });
    await run("forked--");
    expect(model.requests.length).toBe(asked + 1);
    const stores = await Promise.all(
      [plain, gateway].map(({ db_url }) =>
        openJobReader({ storage_type: "sqlite", storage_config: { db_url } }),
      ),
    );
    try {
      const [whole, named] = await Promise.all([
        read(stores[0], "by-http-"),
        read(stores[1], "by-frame"),
      ]);
      expect(whole.steps.map(continues)).toEqual([false, false, false]);
      expect(named.steps.map(continues)).toEqual([false, true, true]);
      expect(named.steps.map(said)).toEqual(whole.steps.map(said));
      expect(named.steps.map(cost)).toEqual(whole.steps.map(cost));
      expect(named.exports).toEqual(whole.exports);
      expect(named.tokens).toEqual(whole.tokens);
      // An engine's prompts go on from the session's own tokens; those of the scripted model never do.
      expect(named.tokens.sequences).toBe(kind === "engine" ? 1 : 3);
      expect(named.steps.at(-1)?.response).toContain(lastWord);
      for (const [session_id, times] of [
        ["replayed", 3],
        ["forked--", 2],
      ] as const) {
        const { steps } = await read(stores[1], session_id);
        expect(steps.map(said)).toEqual(whole.steps.map(said));
        const origins = steps.map((step) => metaOf(step).replayed_from);
        expect(origins.filter((origin) => origin !== undefined)).toHaveLength(times);
      }
    } finally {
      for (const store of stores) await store.close();
    }
  },
);

async function read(store: JobReader | undefined, session_id: string) {
  if (store === undefined) throw new Error("it is not open");
  const steps: WholeStep[] = [];
  for await (const step of sessionSteps(store, session_id)) steps.push(step);
  const rollout = await rolloutOf(store, session_id);
  const place = { rollout: 0, group: 0, repetition: 0 };
  const exported = exportFormats.map(
    (format) => [format, [...format.lines(rollout, place)]] as const,
  );
  // Where a command's output has more tokens, all later ones have other places.
  const exports = exported.map(([{ name, needsHistory }, lines]) => [
    name,
    needsHistory ? unnamed(JSON.stringify(lines)) : withoutNumbers(unnamed(JSON.stringify(lines))),
  ]);
  const { sequences, ledger } = rollout;
  const { delivered } = ledger;
  return { steps, exports, tokens: { sequences: sequences.length, delivered } };
}

const continues = (step: WholeStep): boolean => metaOf(step).continues !== undefined;
const cost = (step: WholeStep): unknown => metaOf(step).cost_nano_usd;
const said = ({ messages }: WholeStep): unknown => unnamed(messages);

/** JSON without what names a session, an answer, a process or a moment. */
function unnamed(json: string | null): unknown {
  const text = (json ?? "null")
    .replace(/by-http-|by-frame|replayed|forked--/g, "SESSION")
    // Calls are named by a request without its dashes.
    .replace(/[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}/g, "ID")
    .replace(varying, "")
    .replace(/"timestamp":"[^"]*"/g, '"timestamp":""');
  const numbered = new Set(["id", "response_id", "prompt_token_ids"]);
  return JSON.parse(text, (name, value) => (numbered.has(name) ? undefined : value));
}

function withoutNumbers(value: unknown): unknown {
  if (typeof value === "number") return 0;
  if (Array.isArray(value)) {
    const isOfNumbers = value.every((each) => typeof each === "number");
    return isOfNumbers ? [] : value.map(withoutNumbers);
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withoutNumbers(each)]),
  );
}
