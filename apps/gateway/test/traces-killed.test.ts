import { type FaultyUpstream, startFaultyUpstream, temporaryFolder, waitFor } from "@proj/test-kit";
import { type OtlpReceiver, startOtlpReceiver } from "@proj/test-kit/otlp";
import { expect, test } from "vitest";
import {
  postChat,
  type ServedGateway,
  type StoredRow,
  serveGateway,
  storedRows,
} from "./served-gateway.ts";

/** Fails every third request, so that its step has a second attempt; each answer reports a different usage. */
const startUpstream = (): Promise<FaultyUpstream> =>
  startFaultyUpstream(async ({ order }, reply) => {
    const message = { role: "assistant", content: "Hi" };
    const usage = { prompt_tokens: 100 * order, completion_tokens: order };
    if (order % 3 === 0) await reply.json({}, { status: 503, headers: { "retry-after-ms": "1" } });
    else await reply.json({ choices: [{ index: 0, finish_reason: "stop", message }], usage });
  });

function serveTraced(
  folder: string,
  upstream: FaultyUpstream,
  { url }: OtlpReceiver,
  more = "",
): Promise<ServedGateway> {
  const traces = `opentelemetry: { enabled: true, endpoint: "${url}"${more} }`;
  const route = "retries: 1, prices: [{ input: 2, output: 10 }]";
  return serveGateway(folder, upstream.url, traces, undefined, route);
}

async function takeSteps({ url }: ServedGateway, session_id: string, count: number) {
  for (let step = 0; step < count; step += 1) await (await postChat(url, session_id)).text();
}

/** One step's usage, from its span or its row. */
interface Use {
  readonly input: unknown;
  readonly output: unknown;
  readonly cost: unknown;
  readonly attempts: unknown;
}

/** By request. @throws Error two spans are of the same step */
function usesOfSpans({ spans }: OtlpReceiver): Map<string, Use> {
  const uses = new Map<string, Use>();
  for (const { name, span_id, attributes } of spans) {
    if (!name.startsWith("chat ")) continue;
    const request_id = String(attributes["gateway.request_id"]);
    if (uses.has(request_id)) throw new Error(`${request_id} has two spans`);
    uses.set(request_id, {
      input: attributes["gen_ai.usage.input_tokens"],
      output: attributes["gen_ai.usage.output_tokens"],
      cost: attributes["gateway.cost_nano_usd"],
      attempts: spans.filter(({ parent_id }) => parent_id === span_id).length,
    });
  }
  return uses;
}

const usesOfRows = (rows: readonly StoredRow[]): Map<string, Use> =>
  new Map(
    rows.map(({ request_id, meta }) => [
      request_id,
      {
        input: meta.prompt_tokens,
        output: meta.completion_tokens,
        cost: meta.cost_nano_usd,
        attempts: meta.attempts,
      },
    ]),
  );

const attemptsOf = (rows: readonly StoredRow[]): number =>
  rows.reduce((sum, { meta }) => sum + Number(meta.attempts), 0);

async function spanCounts({ url }: ServedGateway): Promise<Record<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const found = text.matchAll(/^gateway_spans_(\w+?)(?:_total)?(?:\{reason="(\w+)"\})? (\d+)$/gm);
  return Object.fromEntries([...found].map(([, name, reason, n]) => [reason ?? name, Number(n)]));
}

test("a killed gateway loses only the spans of its last steps, and the spans it sent agree with the rows", async () => {
  await using receiver = await startOtlpReceiver();
  await using folder = await temporaryFolder();
  await using upstream = await startUpstream();
  const atRisk = 5;
  const gateway = await serveTraced(folder.path, upstream, receiver);
  await using killed = gateway.program;
  await takeSteps(gateway, "s", 10);
  await waitFor(() => usesOfSpans(receiver).size === 10, "ten steps' spans");
  await takeSteps(gateway, "s", atRisk);
  killed.kill("SIGKILL");
  await killed.exit();
  const last = await serveTraced(folder.path, upstream, receiver);
  await using program = last.program;
  await takeSteps(last, "s", 3);
  program.kill("SIGTERM");
  await program.exit();

  const rows = storedRows(folder.path);
  expect(rows).toHaveLength(10 + atRisk + 3);
  expect(attemptsOf(rows)).toBeGreaterThan(rows.length);
  const traced = usesOfSpans(receiver);
  const mayMiss = rows.slice(10, 10 + atRisk);
  const missed = mayMiss.filter(({ request_id }) => !traced.has(request_id));
  expect(traced).toEqual(usesOfRows(rows.filter((row) => !missed.includes(row))));
});

test("with a collector that is down for a while, spans received and spans counted as lost add up to all rows", async () => {
  await using receiver = await startOtlpReceiver();
  receiver.status = 503;
  await using folder = await temporaryFolder();
  await using upstream = await startUpstream();
  const gateway = await serveTraced(folder.path, upstream, receiver, ", queue_max_spans: 6");
  await using program = gateway.program;
  await takeSteps(gateway, "s", 10);
  // Ten steps and their attempts, of which four are second ones. The third step's own span is the seventh.
  const dead = await spanCounts(gateway);
  expect(dead).toMatchObject({ queued: 6, exported: 0, queue_full: 10 + 14 - 6 });
  receiver.status = 200;
  await waitFor(
    async () => (await spanCounts(gateway)).exported === 6,
    "the kept spans to be sent",
  );
  await takeSteps(gateway, "s", 2);
  await waitFor(() => usesOfSpans(receiver).size === 4, "the last two steps' spans");
  await waitFor(async () => (await spanCounts(gateway)).queued === 0, "their acknowledgement");
  const { exported = 0, queue_full = 0 } = await spanCounts(gateway);
  program.kill("SIGTERM");
  await program.exit();

  const rows = storedRows(folder.path);
  expect(rows).toHaveLength(12);
  expect(exported + queue_full).toBe(rows.length + attemptsOf(rows));
  expect(usesOfSpans(receiver)).toEqual(usesOfRows([...rows.slice(0, 2), ...rows.slice(10)]));
});
