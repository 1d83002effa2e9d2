import { startDemoUpstream, temporaryFolder, waitFor } from "@proj/test-kit";
import { type OtlpReceiver, startOtlpReceiver } from "@proj/test-kit/otlp";
import { expect, test } from "vitest";
import { postChat, type ServedGateway, serveGateway, storedRows } from "./served-gateway.ts";

const tracesTo = (url: string, more = ""): string =>
  `opentelemetry: { enabled: true, endpoint: "${url}"${more} }`;

async function takeSteps({ url }: ServedGateway, session_id: string, count: number) {
  for (let step = 0; step < count; step += 1) await (await postChat(url, session_id)).text();
}

/** Of the rows whose steps' spans have come. */
const tracedRequests = (receiver: OtlpReceiver): string[] =>
  receiver.spans
    .filter(({ name }) => name.startsWith("chat "))
    .map(({ attributes }) => String(attributes["gateway.request_id"]));

async function spanCounts({ url }: ServedGateway): Promise<Record<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const found = text.matchAll(/^gateway_spans_(\w+?)(?:_total)?(?:\{reason="(\w+)"\})? (\d+)$/gm);
  return Object.fromEntries([...found].map(([, name, reason, n]) => [reason ?? name, Number(n)]));
}

test("a killed gateway loses no span but those of its last steps, and has none without a row", async () => {
  await using receiver = await startOtlpReceiver();
  await using folder = await temporaryFolder();
  await using upstream = await startDemoUpstream();
  const atRisk = 5;
  const gateway = await serveGateway(folder.path, upstream.url, tracesTo(receiver.url));
  await using killed = gateway.program;
  await takeSteps(gateway, "s", 10);
  await waitFor(() => tracedRequests(receiver).length === 10, "ten steps' spans");
  await takeSteps(gateway, "s", atRisk);
  killed.kill("SIGKILL");
  await killed.exit();
  const last = await serveGateway(folder.path, upstream.url, tracesTo(receiver.url));
  await using program = last.program;
  await takeSteps(last, "s", 3);
  program.kill("SIGTERM");
  await program.exit();

  const rows = storedRows(folder.path).map(({ request_id }) => request_id);
  const traced = tracedRequests(receiver);
  expect(rows).toHaveLength(10 + atRisk + 3);
  expect(new Set(traced).size).toBe(traced.length);
  expect(traced.filter((request_id) => !rows.includes(request_id))).toEqual([]);
  const mayMiss = rows.slice(10, 10 + atRisk);
  const untraced = rows.filter((request_id) => !traced.includes(request_id));
  expect(untraced.filter((request_id) => !mayMiss.includes(request_id))).toEqual([]);
});

test("with a collector that is dead for a while, what it has and what is counted as lost are all rows", async () => {
  await using receiver = await startOtlpReceiver();
  receiver.status = 503;
  await using folder = await temporaryFolder();
  await using upstream = await startDemoUpstream();
  const more = ", queue_max_spans: 6";
  const gateway = await serveGateway(folder.path, upstream.url, tracesTo(receiver.url, more));
  await using program = gateway.program;
  await takeSteps(gateway, "s", 10);
  // Each step has a span, and its one attempt another.
  const dead = await spanCounts(gateway);
  expect(dead).toMatchObject({ queued: 6, exported: 0, queue_full: 14 });
  receiver.status = 200;
  await waitFor(async () => (await spanCounts(gateway)).exported === 6, "what was kept is sent");
  await takeSteps(gateway, "s", 2);
  await receiver.received(10);
  const { exported = 0, queue_full = 0 } = await spanCounts(gateway);
  program.kill("SIGTERM");
  await program.exit();

  const rows = storedRows(folder.path);
  expect(rows).toHaveLength(12);
  expect(exported + queue_full).toBe(2 * rows.length);
  const traced = tracedRequests(receiver);
  expect(traced).toHaveLength(5);
  expect(new Set(rows.map(({ request_id }) => request_id))).toEqual(
    new Set([...traced, ...rows.slice(3, 10).map(({ request_id }) => request_id)]),
  );
});
