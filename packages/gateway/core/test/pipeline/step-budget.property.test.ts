import { setImmediate as nextTurn } from "node:timers/promises";
import { chatCompletion, type FaultyUpstream, startFaultyUpstream } from "@proj/test-kit";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type SessionClient, sessionClient } from "../session/session-client.ts";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { atRest } from "./at-rest.ts";

const maxSteps = 5;
const models = ["one", "two"];

let upstream: FaultyUpstream;
let gateway: TestGateway;

beforeAll(async () => {
  upstream = await startFaultyUpstream(async ({ order }, reply) => {
    for (let turn = 0; turn < order % 7; turn += 1) await nextTurn();
    // Failed requests are steps too.
    await reply.json(chatCompletion(), { status: order % 4 === 0 ? 500 : 200 });
  });
  const route = { base_url: upstream.url, max_concurrency: 2, max_queue: 1_000 };
  gateway = await startGateway({ llm_routes: { one: route, two: route }, max_steps: maxSteps });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

type Ending = "forwarded" | "stopped" | "left";

async function ask(
  session: SessionClient,
  model: string,
  leavesAfter: number | null,
): Promise<Ending> {
  const caller = new AbortController();
  const answer = session.chat({ model, stream: false, signal: caller.signal });
  const ending = answer.then(async (response): Promise<Ending> => {
    await response.text();
    return response.headers.get("x-gateway-stop") === null ? "forwarded" : "stopped";
  });
  ending.catch(() => {});
  if (leavesAfter !== null) {
    for (let turn = 0; turn < leavesAfter; turn += 1) await nextTurn();
    caller.abort();
  }
  return ending.catch(() => "left");
}

function forwarded(session_id: string, model: string): number {
  return upstream.requests.filter(
    (request) =>
      request.headers["x-session-id"] === session_id &&
      (request.json() as { model: string }).model === model,
  ).length;
}

let sessions = 0;

function newSession(): SessionClient {
  sessions += 1;
  return sessionClient(gateway, `session-${sessions}`);
}

test("however many come at once, exactly max_steps are forwarded and only the rest is stopped", async () => {
  const plan = fc.array(fc.constantFrom(...models), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(plan, async (asked) => {
      const session = newSession();
      const endings = await Promise.all(
        asked.map(async (model) => ({ model, ending: await ask(session, model, null) })),
      );
      for (const model of models) {
        const ofModel = endings.filter((one) => one.model === model);
        const count = (ending: Ending) => ofModel.filter((one) => one.ending === ending).length;
        const steps = Math.min(maxSteps, ofModel.length);
        expect([count("forwarded"), count("stopped")]).toEqual([steps, ofModel.length - steps]);
        expect(forwarded(session.session_id, model)).toBe(steps);
        const rows = gateway.steps(session.session_id).filter((row) => row.model === model);
        const numbers = rows.map((row) => row.step_id).toSorted((one, other) => one - other);
        expect(numbers).toEqual(Array.from({ length: steps }, (_, index) => index + 1));
      }
    }),
    { numRuns: 12 },
  );
});

test("even if callers leave at any moment, never more than max_steps are taken, and nobody is stopped early", async () => {
  const request = fc.record({
    model: fc.constantFrom(...models),
    /** In turns of the event loop; null: stays. */
    leavesAfter: fc.oneof(fc.constant(null), fc.nat(40)),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 10, maxLength: 40 }), async (requests) => {
      const session = newSession();
      const asked = requests.map(async ({ model, leavesAfter }) => ({
        model,
        ending: await ask(session, model, leavesAfter),
      }));
      const endings = await Promise.all(asked);
      await session.closeAndWait();
      await atRest(gateway, session.session_id);
      const rows = gateway.steps(session.session_id);
      for (const model of models) {
        const steps = rows.filter((row) => row.model === model).length;
        const wasStopped = endings.some((one) => one.model === model && one.ending === "stopped");
        expect(steps).toBeLessThanOrEqual(maxSteps);
        expect(forwarded(session.session_id, model)).toBeLessThanOrEqual(steps);
        if (wasStopped) expect(steps).toBe(maxSteps);
        const status = (await session.status()).models[model];
        expect(status?.steps ?? 0).toBe(steps);
      }
    }),
    { numRuns: 12 },
  );
});
