import { type DemoUpstream, startDemoUpstream } from "@proj/demo-upstream";
import { type JobStore, openJobStore } from "@proj/session-store";
import { sessionSteps, type WholeStep } from "@proj/session-store/answers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exportFormats, readRollout } from "../../src/index.ts";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { storageOf } from "../temporary-storage.ts";
import {
  anthropicRunner,
  google,
  openai,
  openaiChat,
  openaiSocket,
  type Play,
} from "./official-clients.ts";

// One task by the official client of every wire, over an upstream that keeps nothing: whether a request repeats the
// conversation or names it, every reader sees the same.

let upstream: DemoUpstream;
let server: TestGateway;
/** It refuses to serve histories, so that clients send everything. */
let refusing: TestGateway;

beforeAll(async () => {
  upstream = await startDemoUpstream({ toolRounds: 1 });
  const endpoints = ["chat_completions", "responses", "messages", "generate_content"];
  const route = { base_url: upstream.url, endpoints, prices: [{ input: 1, output: 2 }] };
  const start = (more: object) =>
    startGateway({ config: { llm_routes: { policy: { ...route, ...more } } } });
  [server, refusing] = await Promise.all([start({}), start({ serve_history: false })]);
});
afterAll(async () => {
  await Promise.all([server, refusing].map((each) => each?.[Symbol.asyncDispose]()));
  await upstream?.close();
});

const played = async (session_id: string, play: Play, at = server) => {
  await play(`${at.url}/v1/sessions/${session_id}`);
  const store = await openJobStore(storageOf(at.db_url));
  try {
    return await read(store, session_id);
  } finally {
    await store.close();
  }
};

async function read(store: JobStore, session_id: string) {
  const steps: WholeStep[] = [];
  for await (const step of sessionSteps(store, session_id)) steps.push(step);
  const metas = steps.map(({ meta_json }) => JSON.parse(meta_json));
  const rollout = await readRollout(store, {
    ...{ session_id, job_id: "j", simulation_id: "s", attempt: 1, env_name: "e", group_id: "g" },
    ...{ env_params: null, status: "finished", reward: 1, result: null, error: null },
    ...{ owner: null, heartbeat_at: null, created_at: "2026-01-01T00:00:00.000Z" },
    ...{ started_at: null, finished_at: null },
  });
  const place = { rollout: 0, group: 0, repetition: 0 };
  const lines = (format: (typeof exportFormats)[number]) =>
    unnamed(JSON.stringify([...format.lines(rollout, place)]).replaceAll(session_id, "SESSION"));
  return {
    histories: steps.map(({ messages }) => unnamed(messages)),
    costs: metas.map(({ cost_nano_usd }) => cost_nano_usd),
    named: metas.filter(({ continues }) => continues !== undefined).length,
    replayed: metas.filter(({ replayed_from }) => replayed_from !== undefined).length,
    exports: Object.fromEntries(exportFormats.map((each) => [each.name, lines(each)])),
  };
}

/** JSON without what names an answer or a moment. */
function unnamed(json: string | null): unknown {
  const ids = new Set([
    ...[
      "id",
      "call_id",
      "tool_call_id",
      "tool_use_id",
      "source_call_id",
      "response_id",
      "timestamp",
    ],
  ]);
  return JSON.parse(json ?? "null", (name, value) => (ids.has(name) ? undefined : value));
}

/** Four turns: a call of the tool and a text, to each of two questions. */
const turns = 4;

test.each([
  ["OpenAI's previous_response_id", openai("responses"), openai("nothing"), 3],
  ["OpenAI's WebSocket client", openaiSocket, openai("nothing"), 3],
  // Its first request names it too.
  ["OpenAI's conversations", openai("conversation"), openai("nothing"), 4],
  // The runner begins a thread for each question.
  ["the threads of Anthropic's tool runner", anthropicRunner, anthropicRunner, 2],
] as const)("%s: equal histories, exports and costs", async (name, play, whole, named) => {
  const session_id = name.replaceAll(/\W+/g, "-");
  const { named: none, ...expected } = await played(session_id, whole, refusing);
  const { named: times, ...found } = await played(session_id, play);
  expect(found).toEqual(expected);
  expect(found.costs).toHaveLength(turns);
  expect([none, times]).toEqual([0, named]);
  for (const [members, replayed] of [
    [{ mode: "replay" }, turns],
    [{ step: 2 }, 2],
  ] as const) {
    const id = `${session_id}-again-${replayed}`;
    await fork(id, { from: session_id, ...members });
    const again = await played(id, play);
    expect(again.replayed).toBe(replayed);
    expect(again.histories).toEqual(found.histories);
  }
});

async function fork(session_id: string, members: object): Promise<void> {
  const body = JSON.stringify(members);
  const headers = { "content-type": "application/json" };
  const url = `${server.url}/v1/sessions/${session_id}/fork`;
  const made = await fetch(url, { method: "POST", headers, body });
  expect(made.status, await made.text()).toBe(200);
}

test("requests that repeat everything replay those that name it, and the other way round", async () => {
  await played("names", openai("responses"));
  await fork("repeats", { from: "names", mode: "replay" });
  expect(await played("repeats", openai("nothing"))).toMatchObject({ replayed: turns, named: 0 });
  await fork("names-again", { from: "repeats", mode: "replay", ignore: ["stream"] });
  expect(await played("names-again", openaiSocket)).toMatchObject({ replayed: turns, named: 3 });
});

const wires = { chat: openaiChat, messages: anthropicRunner, gemini: google };

test.each(Object.entries(wires))(
  "%s is exported and priced as responses are",
  async (wire, play) => {
    const expected = await played(`beside-${wire}`, openai("nothing"), refusing);
    const found = await played(`by-${wire}`, play, refusing);
    for (const format of ["openai-finetuning", "messages", "sharegpt"])
      expect(found.exports[format], format).toEqual(expected.exports[format]);
    // Of chat completions alone the demo's model counts the mark of a call.
    if (wire !== "chat") expect(found.costs).toEqual(expected.costs);
  },
);
