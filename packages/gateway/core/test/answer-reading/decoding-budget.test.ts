import { gzipSync } from "node:zlib";
import { chatCompletion, jsonBytes, startFaultyUpstream } from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGateway } from "../start-gateway.ts";
import { chatPath, chatRequest, metric } from "../telemetry/bound-calls.ts";

const max_buffered_bytes = 32 * 1024 * 1024;
const answers = 100;
const large = jsonBytes({
  ...chatCompletion({ content: "Hello" }),
  padding: Array.from({ length: 1_600_000 }, () => 1),
});

test("a hundred compressed answers at once stay within max_buffered_bytes, and others go on", async () => {
  const compressed = gzipSync(large);
  // As much in memory at once would be ten times what is allowed.
  expect(answers * large.length).toBeGreaterThan(9 * max_buffered_bytes);
  await using upstream = await startFaultyUpstream(async ({ headers }, reply) => {
    if (headers["x-session-id"] === "plain") await reply.json(chatCompletion());
    else {
      const coding = { "content-type": "application/json", "content-encoding": "gzip" };
      await reply.send(compressed, { headers: coding });
    }
  });
  await using gateway = await startGateway({
    llm_routes: { policy: { base_url: upstream.url } },
    max_buffered_bytes,
    max_capture_bytes: 8 * 1024 * 1024,
    max_body_bytes: 1024 * 1024,
    telemetry: { write_timeout_s: 120 },
  });
  const ids = Array.from({ length: answers }, (_, index) => `compressed-${index}`);
  let ended = 0;
  const calls = ids.map(async (id) => {
    const answer = await gateway.post(chatPath(id), chatRequest({ stream: false }));
    const { padding } = (await answer.json()) as { padding: number[] };
    ended += 1;
    return [answer.status, padding.length];
  });
  let maxBytes = 0;
  const watch = async (): Promise<void> => {
    while (ended < answers) {
      const bytes = await metric(gateway, "gateway_buffered_bytes");
      maxBytes = Math.max(maxBytes, bytes);
    }
  };
  const watching = watch();
  await expect.poll(() => ended, { timeout: 60_000 }).toBeGreaterThan(0);
  const plain = await gateway.post(chatPath("plain"), chatRequest({ stream: false }));
  expect(plain.status).toBe(200);
  expect(ended).toBeLessThan(answers);
  for (const call of calls) expect(await call).toEqual([200, 1_600_000]);
  await watching;
  expect(maxBytes).toBeGreaterThan(large.length - 1);
  expect(maxBytes).toBeLessThan(max_buffered_bytes + 2 * large.length);
  for (const id of ids) {
    expect(gateway.steps(id)).toMatchObject([{ status_code: 200, meta: { truncated: false } }]);
  }
}, 120_000);
