import { on, once } from "node:events";
import { type JobStore, openJobStore } from "@proj/session-store";
import { sessionSteps, type WholeStep } from "@proj/session-store/answers";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { exportFormats, type Rollout, readRollout } from "../../src/index.ts";
import { leftOut } from "../../src/training/left-out.ts";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { storageOf } from "../temporary-storage.ts";
import { type Ask, converse, styles } from "./agent-styles.ts";
import { type KeepingUpstream, startKeepingUpstream } from "./keeping-upstream.ts";

// An agent may send its whole history, or name what the upstream keeps. Whichever it does, every reader sees the same.

let upstream: KeepingUpstream;
let server: TestGateway;
let store: JobStore;
beforeAll(async () => {
  upstream = await startKeepingUpstream();
  const route = {
    base_url: upstream.url,
    endpoints: ["responses", "messages"],
    prices: [{ input: 1, output: 2 }],
  };
  const keeps = ["responses", "conversations", "threads"];
  const llm_routes = { keeping: { ...route, keeps }, forgetful: route };
  server = await startGateway({ config: { llm_routes } });
  store = await openJobStore(storageOf(server.db_url));
});
afterAll(async () => {
  await store.close();
  await server[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

const asking =
  (session_id: string, model = "keeping"): Ask =>
  async (path, body) => {
    const response = await fetch(`${server.url}/v1/sessions/${session_id}/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(path === "conversations" ? body : { model, ...body }),
    });
    if (!response.ok) throw new Error(await response.text());
    return JSON.parse(await response.text());
  };

/** Asks over one WebSocket, which ends with the test. */
const askingByFrames = async (session_id: string, model: string): Promise<Ask> => {
  const base = server.url.replace("http", "ws");
  const socket = new WebSocket(`${base}/v1/sessions/${session_id}/responses`);
  onTestFinished(() => socket.close());
  await once(socket, "open");
  return async (_path, body) => {
    socket.send(JSON.stringify({ type: "response.create", model, ...body }));
    for await (const [frame] of on(socket, "message")) {
      const { type, response, error } = JSON.parse(String(frame.data));
      if (type === "error") throw new Error(JSON.stringify(error));
      if (type === "response.completed") return response;
    }
    throw new Error("the connection ended");
  };
};

function rolloutOf(session_id: string): Promise<Rollout> {
  const times = { created_at: "2026-01-01T00:00:00.000Z", started_at: null, finished_at: null };
  return readRollout(store, {
    ...{ session_id, job_id: "j", simulation_id: "s", attempt: 1, env_name: "e", group_id: "g" },
    ...{ env_params: null, status: "finished", reward: 1, result: null, error: null },
    ...{ owner: null, heartbeat_at: null, ...times },
  });
}

async function stepsOf(session_id: string): Promise<WholeStep[]> {
  const steps: WholeStep[] = [];
  for await (const step of sessionSteps(store, session_id)) steps.push(step);
  return steps;
}

/** Every format's lines, without what names the session and the answers. */
async function exports(session_id: string): Promise<unknown> {
  const rollout = await rolloutOf(session_id);
  const place = { rollout: 0, group: 0, repetition: 0 };
  const lines = exportFormats.map((format) => [format.name, [...format.lines(rollout, place)]]);
  const text = JSON.stringify(lines).replaceAll(session_id, "SESSION");
  return JSON.parse(text.replace(/"timestamp":"[^"]*"/g, '"timestamp":""'));
}

test.each([
  ["keeping", "responses, whole", "responses, previous_response_id", "HTTP"],
  ["keeping", "responses, whole", "responses, previous_response_id", "WebSocket"],
  ["keeping", "messages, whole", "messages, threads", "HTTP"],
  ["forgetful", "responses, whole", "responses, previous_response_id", "HTTP"],
  ["forgetful", "responses, whole", "responses, previous_response_id", "WebSocket"],
  ["forgetful", "messages, whole", "messages, threads", "HTTP"],
])(
  "%s upstream, %s and %s by %s: equal histories, exports and costs",
  async (model, whole, named, by) => {
    const [one = "", other = ""] = [whole, named].map((style) =>
      `${model} ${style} ${by}`.replaceAll(/\W+/g, "-"),
    );
    const before = upstream.bodies.length;
    await styles[whole]?.(asking(one, model));
    const between = upstream.bodies.length;
    await styles[named]?.(
      by === "HTTP" ? asking(other, model) : await askingByFrames(other, model),
    );
    expect(await exports(other)).toEqual(await exports(one));
    if (model === "forgetful")
      expect(unnamed(JSON.stringify(upstream.bodies.slice(between)))).toEqual(
        unnamed(JSON.stringify(upstream.bodies.slice(before, between))),
      );

    const read = async (session_id: string) =>
      (await stepsOf(session_id)).map((step) => ({
        messages: unnamed(step.messages),
        shown: unnamed(step.request),
        cost: JSON.parse(step.meta_json).cost_nano_usd,
      }));
    const [wholes, nameds] = [await read(one), await read(other)];
    expect(nameds).toEqual(wholes);
    expect(nameds).toHaveLength(4);
  },
);

/** JSON without ids, and without the members that name what came before. */
function unnamed(json: string | null): unknown {
  const ids = new Set(["id", "previous_response_id", "thread", "max_tokens", "stream"]);
  const read = JSON.parse(json ?? "null", (name, value) => (ids.has(name) ? undefined : value));
  return Array.isArray(read) || read === null
    ? read
    : Object.fromEntries(Object.entries(read).sort(([a], [b]) => (a < b ? -1 : 1)));
}

test("a conversation's turns are one conversation", async () => {
  const ask = asking("conversed");
  await ask("responses", { input: "its route is where conversations are made" });
  await converse(ask);
  const [, line, ...others] = chatLines(await rolloutOf("conversed"));
  expect(others).toEqual([]);
  expect(rolesOf(line)).toEqual(["user", "assistant", "tool", "assistant", "user", "assistant"]);
});

test("what is in no row is said to be missing, and formats of conversations leave the rollout out", async () => {
  const ask = asking("unknown");
  const { id } = await ask("responses", { input: "once", previous_response_id: "resp_elsewhere" });
  await ask("responses", { input: "again", previous_response_id: id });
  const rollout = await rolloutOf("unknown");
  expect([...rollout.steps.values()].map((step) => step.has_partial_history)).toEqual([true, true]);
  for (const format of exportFormats) {
    const left = leftOut(format, rollout);
    expect(left?.reason ?? null).toBe(format.needsHistory ? "partial_history" : null);
  }
  const steps = await stepsOf("unknown");
  expect(steps.map(({ history }) => history)).toEqual(["partial", "partial"]);
  expect(steps[1]?.messages).toContain("once");
});

function chatLines(rollout: Rollout): object[] {
  const format = exportFormats.find(({ name }) => name === "openai-finetuning");
  return [...(format?.lines(rollout, { rollout: 0, group: 0, repetition: 0 }) ?? [])];
}

const rolesOf = (line: object | undefined): unknown =>
  line !== undefined && "messages" in line && Array.isArray(line.messages)
    ? line.messages.map(({ role }) => role).filter((role) => role !== "system")
    : null;
