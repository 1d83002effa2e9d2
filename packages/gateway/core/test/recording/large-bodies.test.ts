import { existsSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { chatCompletion, chatStream, jsonBytes, waitFor } from "@proj/test-kit";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { chatPath } from "../telemetry/bound-calls.ts";
import { startUpstreamBySession, type UpstreamBySession } from "./upstream-by-session.ts";

// Their memory is freed by hand, so upstream, rows and log must have read a body by then.

const turn = "lorem ipsum ".repeat(25_000);
const steps = 6;

const answers = {
  plain: { bytes: jsonBytes(chatCompletion()), type: "application/json", coding: "identity" },
  // Read after the answer has gone.
  encoded: {
    bytes: gzipSync(jsonBytes(chatCompletion())),
    type: "application/json",
    coding: "gzip",
  },
  streamed: {
    bytes: Buffer.concat(chatStream(chatCompletion())),
    type: "text/event-stream",
    coding: "identity",
  },
} as const;

let upstream: UpstreamBySession;
let freed: number[];

beforeEach(async () => {
  upstream = await startUpstreamBySession();
  freed = [];
  const transfer = ArrayBuffer.prototype.transfer;
  vi.spyOn(ArrayBuffer.prototype, "transfer").mockImplementation(function (
    this: ArrayBuffer,
    length?: number,
  ) {
    if (this.byteLength >= turn.length) freed.push(this.byteLength);
    return transfer.call(this, length);
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await upstream.close();
});

const start = (mode: string): Promise<TestGateway> =>
  startGateway({
    llm_routes: { policy: { base_url: upstream.url } },
    telemetry: { mode, flush_interval_ms: 50 },
    request_log: { enabled: true, body_limit_bytes: 0 },
  });

interface Line {
  readonly request: string;
}

test.for(
  (["strict", "best_effort"] as const).flatMap((mode) =>
    (["plain", "encoded", "streamed"] as const).map((form) => ({ mode, form })),
  ),
)(
  "upstream, rows and log have each body of a conversation whole, then its memory goes ($mode, $form)",
  async ({ mode, form }) => {
    await using gateway = await start(mode);
    const { bytes, type, coding } = answers[form];
    const headers = { "content-type": type, "content-encoding": coding };
    upstream.answer("s", (_request, reply) => void reply.send(bytes, { headers }));
    const bodies: string[] = [];
    const messages: object[] = [];
    for (let step = 1; step <= steps; step += 1) {
      messages.push({ role: "user", content: `${step} ${turn}` });
      const body = JSON.stringify({ model: "policy", messages, stream: form === "streamed" });
      bodies.push(body);
      const answer = await gateway.post(chatPath("s"), body);
      expect(answer.status).toBe(200);
      await answer.bytes();
      // The next step continues this one only once it is stored.
      await waitFor(() => gateway.steps("s").length === step, `${step} rows`);
    }
    expect(upstream.requests("s").map((request) => request.body.toString())).toEqual(bodies);

    const page = await fetch(`${gateway.url}/v1/sessions/s/steps`);
    const stored = (await page.json()) as { steps: { messages: string }[] };
    expect(stored.steps.map((step) => step.messages)).toEqual(
      bodies.map((body) => JSON.stringify((JSON.parse(body) as { messages: object[] }).messages)),
    );

    // The latest body waits for one that continues it.
    const former = bodies.slice(0, -1).map(({ length }) => length);
    await waitFor(() => former.every((length) => freed.includes(length)), "the bodies to be freed");
    expect(freed).not.toContain(bodies.at(-1)?.length);
    const lines = await waitFor(() => {
      const text = existsSync(gateway.requestLogPath)
        ? readFileSync(gateway.requestLogPath, "utf8")
        : "";
      return text.split("\n").length > steps ? text.trimEnd().split("\n") : null;
    }, `${steps} lines of the request log`);
    expect(lines.map((line) => (JSON.parse(line) as Line).request)).toEqual(bodies);
  },
);
