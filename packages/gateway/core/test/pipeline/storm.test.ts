import { setTimeout as delay } from "node:timers/promises";
import {
  answerAsPlanned,
  chatCompletion,
  type FaultyUpstream,
  jsonBytes,
  planStorm,
  type RawAnswer,
  type StormEndpoint,
  type StormPlan,
  startFaultyUpstream,
  waitFor,
} from "@proj/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { chatPath, chatRequest } from "../telemetry/bound-calls.ts";
import { rawCall } from "../telemetry/raw-caller.ts";
import { holdWriteLock } from "../telemetry/write-lock.ts";
import { atRest } from "./at-rest.ts";
import { expectNoWarnings } from "./no-warnings.ts";

// Requests of all kinds, cancelled at every moment, with an upstream that fails in every way: afterwards
// nothing is held, nothing is lost, and every request succeeds again.

expectNoWarnings();

/** How many requests each route has at the upstream at once. */
const places = { policy: 8, wide: 32 };
type Model = keyof typeof places;
const sessions = 5;
/** At the same time. */
const maxCallers = 160;
const endpoints = ["chat_completions", "responses", "messages"];

let upstream: FaultyUpstream;
let gateway: TestGateway;
const plans = new Map<string, StormPlan>();
/** What the upstream saw and did for each request. */
const seen = new Map<string, PromiseWithResolvers<void>>();
const answered = new Map<string, PromiseWithResolvers<void>>();

beforeAll(async () => {
  upstream = await startFaultyUpstream(async (request, reply) => {
    const id = request.headers["x-storm"];
    const plan = plans.get(id ?? "");
    if (id === undefined || plan === undefined) return;
    signal(seen, id).resolve();
    await answerAsPlanned(plan)(request, reply);
    signal(answered, id).resolve();
  });
  const routeOf = (max_concurrency: number) => ({
    ...{ base_url: upstream.url, max_concurrency, endpoints },
  });
  gateway = await startGateway({
    llm_routes: { policy: routeOf(places.policy), wide: routeOf(places.wide) },
    timeouts: { first_byte_s: 0.4, idle_s: 0.3 },
  });
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

function signal(
  signals: Map<string, PromiseWithResolvers<void>>,
  id: string,
): PromiseWithResolvers<void> {
  const known = signals.get(id) ?? Promise.withResolvers<void>();
  signals.set(id, known);
  return known;
}

/** Runs one caller from its request to its end; returns what it saw, if it stayed. */
async function call(plan: StormPlan, model: Model): Promise<RawAnswer | null> {
  const { id, session_id, endpoint, stream, leave } = plan;
  plans.set(id, plan);
  const path = session_id === null ? `/v1/${endpoint}` : `/v1/sessions/${session_id}/${endpoint}`;
  const said =
    endpoint === "responses" ? { input: id } : { messages: [{ role: "user", content: id }] };
  const body = { model, stream, ...said };
  await using caller = await rawCall(gateway, path, body, { "x-storm": id });
  const closed = caller.untilClosed();
  if (leave === null) return await closed;
  const moments = {
    "once sent": () => Promise.resolve(),
    "a moment later": () => delay(leave.after),
    "at the upstream": () => signal(seen, id).promise,
    "at its first byte": () => waitFor(() => caller.connection.received.length > 0, "a byte"),
    "at the end": () => signal(answered, id).promise,
  };
  await Promise.race([moments[leave.at](), closed]).catch(() => {});
  caller.connection[leave.by]();
  await closed;
  return null;
}

/** Delays rows again and again, so that callers can leave while theirs are unwritten. */
async function lockNowAndThen(until: Promise<unknown>): Promise<void> {
  let isOver = false;
  void until.then(() => {
    isOver = true;
  });
  while (!isOver) {
    const lock = holdWriteLock(gateway.databasePath);
    await delay(40);
    lock.release();
    await delay(60);
  }
}

test.for<[requests: number, seed: number, model: Model, only?: StormEndpoint]>([
  [160, 1, "policy"],
  [160, 2, "policy"],
  [1_000, 3, "wide", "messages"],
])("%i requests leave nothing behind and lose nothing (seed %i, %s)", async (storming) => {
  const [requests, seed, model, only] = storming;
  const storm = planStorm(seed, requests, sessions, only === undefined ? undefined : [only]);
  const received: (RawAnswer | null)[] = [];
  const waiting = storm.entries();
  const callers = Array.from({ length: maxCallers }, async () => {
    for (const [index, plan] of waiting) received[index] = await call(plan, model);
  });
  const calls = Promise.all(callers);
  await lockNowAndThen(calls);
  await calls;

  const statuses = new Set<number>();
  const session_ids = [...new Set(storm.flatMap(({ session_id }) => session_id ?? []))];
  await atRest(gateway, ...session_ids);

  for (const session_id of session_ids) {
    const rows = gateway.steps(session_id);
    for (const row of rows) statuses.add(row.status_code);
    // Steps are numbered without gaps, and no request has two rows.
    expect(rows.map((row) => row.step_id).sort((one, other) => one - other)).toEqual(
      rows.map((_row, index) => index + 1),
    );
    const stored = rows.map((row) => /storm-\d+-\d+/.exec(row.messages ?? "")?.[0]);
    expect(new Set(stored).size).toBe(rows.length);
    const forwarded = storm.filter((plan) => plan.session_id === session_id && seen.has(plan.id));
    expect(stored).toEqual(expect.arrayContaining(forwarded.map(({ id }) => id)));
    // Callers that stayed got what the row says.
    for (const [index, plan] of storm.entries()) {
      const answer = received[index];
      if (answer === null || answer === undefined || plan.session_id !== session_id) continue;
      const row = rows[stored.indexOf(plan.id)];
      const isWhole = answer.whole && answer.status === row?.status_code;
      const saysSo = answer.status === 200 && /"code":\s?"upstream_/.test(answer.body);
      const isBroken =
        answer.status === 200 && row?.status_code !== 200 && (saysSo || !answer.whole);
      expect(
        (isWhole && !saysSo) || isBroken,
        JSON.stringify({ plan, row: row?.meta, answer }),
      ).toBe(true);
    }
  }
  // All kinds of outcomes occurred.
  expect([...statuses].sort()).toEqual([200, 429, 499, 500, 502, 504]);
  await expectFullConcurrency(`storm-${seed}-session-0`, model);
});

/** As many requests as there are places reach the upstream at once, and all are answered. */
async function expectFullConcurrency(session_id: string, model: Model): Promise<void> {
  const before = upstream.requests.length;
  const burst = Array.from({ length: places[model] }, () =>
    gateway.post(chatPath(session_id), chatRequest({ model })),
  );
  await waitFor(
    () => upstream.requests.length === before + burst.length,
    "the burst at the upstream",
  );
  const completion = jsonBytes(chatCompletion());
  for (const { reply } of upstream.requests.slice(before)) await reply.send(completion);
  for (const answer of burst) expect((await answer).status).toBe(200);
  await atRest(gateway, session_id);
}
