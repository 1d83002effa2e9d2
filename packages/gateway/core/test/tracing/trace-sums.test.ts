import { type FaultyUpstream, startFaultyUpstream, waitFor } from "@proj/test-kit";
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from "@proj/test-kit/otlp";
import { expect, test } from "vitest";
import { type SessionClient, sessionClient } from "../session/session-client.ts";
import { type StepRecord, startGateway } from "../start-gateway.ts";

const prices = [{ input: 2, output: 10 }];
const answer = {
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "Hi" } }],
  usage: { prompt_tokens: 12, completion_tokens: 3 },
};

/** What one call used, as its span or its row says. */
interface Use {
  readonly request_id: unknown;
  readonly status_code: unknown;
  readonly outcome: unknown;
  readonly input: unknown;
  readonly output: unknown;
  readonly cost: unknown;
  readonly attempts: unknown;
}

const byRequest = (uses: Use[]): Use[] =>
  uses.toSorted((a, b) => (String(a.request_id) < String(b.request_id) ? -1 : 1));

/** Of calls, not of attempts or sessions. */
const callsOf = ({ spans }: OtlpReceiver): ReceivedSpan[] =>
  spans.filter(({ attributes }) => attributes["gen_ai.operation.name"] !== undefined);

/** Attempts are those that have spans of their own below the call's. */
const usesOfSpans = (receiver: OtlpReceiver): Use[] =>
  byRequest(
    callsOf(receiver).map(({ span_id, attributes }) => ({
      request_id: attributes["gateway.request_id"],
      status_code: attributes["gateway.status_code"],
      outcome: attributes["gateway.outcome"],
      input: attributes["gen_ai.usage.input_tokens"] ?? null,
      output: attributes["gen_ai.usage.output_tokens"] ?? null,
      cost: attributes["gateway.cost_nano_usd"],
      attempts: receiver.spans.filter(({ parent_id }) => parent_id === span_id).length,
    })),
  );

const usesOfRows = (rows: readonly StepRecord[]): Use[] =>
  byRequest(
    rows.map(({ request_id, meta }) => ({
      request_id,
      status_code: meta.status_code,
      outcome: meta.outcome,
      input: meta.prompt_tokens,
      output: meta.completion_tokens,
      cost: meta.cost_nano_usd,
      attempts: meta.attempts,
    })),
  );

/** Calls, tokens in, tokens out, nano-dollars, attempts. */
function sumsOf(uses: readonly Use[]): number[] {
  const sum = (name: keyof Use): number =>
    uses.reduce((total, { [name]: value }) => total + (typeof value === "number" ? value : 0), 0);
  return [uses.length, sum("input"), sum("output"), sum("cost"), sum("attempts")];
}

type Attempt = "answered" | "half told" | "fails" | "caller leaves";

async function takeStep(
  session: SessionClient,
  upstream: FaultyUpstream,
  attempts: readonly Attempt[],
): Promise<void> {
  const leaving = new AbortController();
  const ended = session.chat({ signal: leaving.signal }).then(
    (answered) => answered.text(),
    () => null,
  );
  for (const attempt of attempts) {
    const { reply } = await upstream.nextRequest();
    if (attempt === "caller leaves") leaving.abort();
    else if (attempt === "answered") await reply.json(answer);
    else if (attempt === "half told") await reply.json({ ...answer, usage: { prompt_tokens: 7 } });
    else await reply.json({}, { status: 503, headers: { "retry-after-ms": "1" } });
  }
  await ended;
}

test("spans tell what rows do, despite retries, cancellations, failures and a late receiver", async () => {
  const gone = await startOtlpReceiver();
  await gone[Symbol.asyncDispose]();
  await using upstream = await startFaultyUpstream();
  const gateway = await startGateway({
    opentelemetry: { enabled: true, endpoint: gone.url },
    llm_routes: { demo: { base_url: upstream.url, retries: 1, prices } },
  });
  const steps: readonly (readonly Attempt[])[] = [
    ["answered"],
    ["fails", "answered"],
    ["caller leaves"],
    ["fails", "fails"],
    ["fails", "caller leaves"],
    ["half told"],
    ["fails", "half told"],
  ];
  const session = sessionClient(gateway, "s");
  for (const attempts of [...steps, ...steps]) await takeStep(session, upstream, attempts);
  await waitFor(() => gateway.steps("s").length === 2 * steps.length, "all rows to be stored");
  const rows = usesOfRows(gateway.steps("s"));

  await using receiver = await startOtlpReceiver(gone.port);
  await waitFor(() => callsOf(receiver).length >= rows.length, "all spans to arrive");
  await gateway.close();
  expect(usesOfSpans(receiver)).toEqual(rows);
  const input = 2 * (2 * 12 + 2 * 7);
  const output = 2 * (2 * 3);
  const cost = 2_000 * input + 10_000 * output;
  expect(sumsOf(rows)).toEqual([14, input, output, cost, 2 * 11]);
  const outcomes = rows.map(({ outcome, status_code }) => `${outcome} ${status_code}`).toSorted();
  expect(outcomes).toEqual([
    ...Array(4).fill("caller_gone 499"),
    ...Array(8).fill("completed 200"),
    ...Array(2).fill("completed 503"),
  ]);
});

test("a background step has two spans, and its usage only once", async () => {
  await using receiver = await startOtlpReceiver();
  await using upstream = await startFaultyUpstream();
  const gateway = await startGateway({
    opentelemetry: { enabled: true, endpoint: receiver.url },
    llm_routes: { demo: { base_url: upstream.url, endpoints: ["responses"], prices } },
  });
  const request = { model: "demo", input: "x", background: true };
  const begun = gateway.post("/v1/sessions/s/responses", request);
  await (await upstream.nextRequest()).reply.json({ id: "resp_1", status: "queued", output: [] });
  await (await begun).text();
  const usage = { input_tokens: 10, output_tokens: 5 };
  for (let time = 1; time <= 2; time += 1) {
    const asked = fetch(`${gateway.url}/v1/sessions/s/responses/resp_1`);
    const output = [{ type: "message", role: "assistant", content: [] }];
    await (await upstream.nextRequest()).reply.json({
      ...{ id: "resp_1", status: "completed", output, usage },
    });
    await (await asked).text();
  }
  const rows = gateway.steps("s");
  await gateway.close();
  expect(sumsOf(usesOfSpans(receiver))).toEqual([2, 10, 5, 70_000, 1]);
  expect(sumsOf(usesOfRows(rows))).toEqual([1, 10, 5, 70_000, 1]);
});
