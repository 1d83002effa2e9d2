import { chatCompletion, chatStream } from "@proj/test-kit";
import { expect, onTestFinished, test } from "vitest";
import { type StepRecord, startGateway, type TestGateway } from "../start-gateway.ts";
import { chatPath, chatRequest } from "../telemetry/bound-calls.ts";
import { startUpstreamBySession, type UpstreamBySession } from "./upstream-by-session.ts";

const completion = chatCompletion();

interface Parts {
  readonly gateway: TestGateway;
  readonly upstream: UpstreamBySession;
}

async function start(telemetry: Record<string, unknown>): Promise<Parts> {
  const upstream = await startUpstreamBySession();
  onTestFinished(() => upstream.close());
  const gateway = await startGateway({
    llm_routes: { policy: { base_url: upstream.url }, other: { base_url: upstream.url } },
    telemetry,
  });
  onTestFinished(() => gateway.close());
  return { gateway, upstream };
}

/** One step that succeeds plain, one that succeeds as a stream, and one that fails. */
async function threeSteps({ gateway, upstream }: Parts): Promise<StepRecord[]> {
  upstream.answer(
    "session",
    (_request, reply) => void reply.json(completion),
    (_request, reply) => void reply.events(chatStream(completion)),
    (_request, reply) => void reply.json({ error: { message: "busy" } }, { status: 429 }),
  );
  for (const stream of [false, true, false])
    await (await gateway.post(chatPath("session"), chatRequest({ stream }))).text();
  const steps = gateway.steps("session");
  expect(steps.map(({ status_code }) => status_code)).toEqual([200, 200, 429]);
  return steps;
}

const hasPayload = ({ request, response, messages }: StepRecord): boolean | "in part" => {
  const kept = [request, response, messages].filter((column) => column !== null).length;
  return kept === 3 ? true : kept === 0 ? false : "in part";
};

test.for([
  { capture_payload: "full", kept: [true, true, true] },
  { capture_payload: "failed_only", kept: [false, false, true] },
  { capture_payload: "none", kept: [false, false, false] },
])(
  "rows are always written; capture_payload decides on their payloads: $capture_payload",
  async ({ capture_payload, kept }) => {
    const steps = await threeSteps(await start({ capture_payload }));
    expect(steps.map(hasPayload)).toEqual(kept);
    for (const { meta } of steps.slice(0, 2))
      expect(meta).toMatchObject({
        outcome: "completed",
        finish_reason: "stop",
        prompt_tokens: 11,
        completion_tokens: 5,
        truncated: false,
      });
  },
);

test("without payload a step's tokens are still known", async () => {
  const { gateway, upstream } = await start({ capture_payload: "none" });
  upstream.answer("lean", (_request, reply) => void reply.events(chatStream(completion)));
  await (await gateway.post(chatPath("lean"), chatRequest({ stream: true }))).text();
  expect(gateway.steps("lean")).toMatchObject([
    {
      status_code: 200,
      request: null,
      response: null,
      messages: null,
      meta: { prompt_tokens: 11 },
    },
  ]);
});

/** Which of 24 steps, taken in this order, keep their payload. */
async function sampledSteps(
  rate: number,
  session_id: string,
  model: string = "policy",
): Promise<readonly number[]> {
  const { gateway, upstream } = await start({
    capture_payload: "sampled",
    payload_sample_rate: rate,
  });
  upstream.answer(session_id, (_request, reply) => void reply.json(completion));
  for (let step = 1; step <= 24; step++)
    await (await gateway.post(chatPath(session_id), chatRequest({ model }))).text();
  const steps = gateway.steps(session_id);
  expect(steps).toHaveLength(24);
  expect(steps.map(hasPayload)).not.toContain("in part");
  return steps.filter((step) => hasPayload(step) === true).map(({ step_id }) => step_id);
}

test("sampling keeps a share of the steps, the same ones when the session is repeated", async () => {
  const first = await sampledSteps(0.5, "episode-1");
  expect(first.length).toBeGreaterThan(4);
  expect(first.length).toBeLessThan(20);
  expect(await sampledSteps(0.5, "episode-1")).toEqual(first);
  expect(await sampledSteps(0.5, "episode-2")).not.toEqual(first);
  expect(await sampledSteps(0.5, "episode-1", "other")).not.toEqual(first);
  // A larger share keeps what a smaller one kept.
  expect(await sampledSteps(0.8, "episode-1")).toEqual(expect.arrayContaining([...first]));
});

test.for([
  { rate: 0, count: 0 },
  { rate: 1, count: 24 },
])("a rate of $rate keeps $count of 24", async ({ rate, count }) => {
  expect(await sampledSteps(rate, "edge")).toHaveLength(count);
});
