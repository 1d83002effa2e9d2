import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { parseConfig } from "@proj/gateway-protocol";
import { temporaryFolder, waitFor } from "@proj/test-kit";
import { expect, test } from "vitest";
import { createFront } from "../../src/index.ts";

const config = parseConfig(
  "listen_port: 0\nllm_routes: { small: { base_url: 'http://127.0.0.1:1/v1' } }\n",
  "test.yaml",
  {},
);

/** A front before one worker that does what the listener says. */
async function startFront(listener: (req: IncomingMessage, res: ServerResponse) => void) {
  const folder = await temporaryFolder();
  const socketPath = join(folder.path, "worker");
  const worker = createServer(listener);
  await new Promise<void>((resolve) => worker.listen(socketPath, resolve));
  const front = createFront(config);
  const { url, port } = await front.listen();
  front.admit(1, socketPath);
  return {
    front,
    url,
    port,
    [Symbol.asyncDispose]: async () => {
      await front.close();
      worker.closeAllConnections();
      worker.close();
      await folder.remove();
    },
  };
}

test.each([1, 1_000, 60_000, 300_000])("a body of %d bytes arrives unchanged", async (size) => {
  await using served = await startFront(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    res.setHeader("x-twice", ["a", "b"]);
    res.end(Buffer.concat(chunks));
  });
  const body = "x".repeat(size);
  const answer = await fetch(`${served.url}/v1/echo`, { method: "POST", body });
  expect([answer.headers.get("x-twice"), await answer.text()]).toEqual(["a, b", body]);
});

test("metrics are merged in the format that the scraper accepts, with what OpenMetrics has more", async () => {
  const openmetrics = "application/openmetrics-text; version=1.0.0; charset=utf-8";
  const page = '# HELP a A.\n# TYPE a counter\na_total 3 # {trace_id="1"} 1 5.5\n# EOF\n';
  const asked: unknown[] = [];
  await using served = await startFront((req, res) => {
    asked.push([req.headers.accept, req.headers.authorization]);
    res.setHeader("content-type", openmetrics);
    res.end(page);
  });
  const scrape = async (accept: string) => {
    const headers = { accept, authorization: "Bearer k" };
    const answer = await fetch(`${served.url}/metrics`, { headers });
    return [answer.headers.get("content-type"), await answer.text()];
  };
  expect(await scrape("application/openmetrics-text;version=1.0.0")).toEqual([openmetrics, page]);
  expect(await scrape("*/*")).toEqual([
    "text/plain; version=0.0.4; charset=utf-8",
    "# HELP a_total A.\n# TYPE a_total counter\na_total 3\n\n",
  ]);
  expect(asked).toEqual(Array(2).fill([openmetrics, "Bearer k"]));
});

test("a body that comes in pieces is forwarded before it is whole", async () => {
  const began = Promise.withResolvers<void>();
  await using served = await startFront((req, res) => {
    req.once("data", () => began.resolve());
    req.on("end", () => res.end("got it")).resume();
  });
  async function* pieces(): AsyncGenerator<string> {
    yield "first ";
    await began.promise;
    yield "second";
  }
  const stream = ReadableStream.from(pieces()).pipeThrough(new TextEncoderStream());
  const init = { method: "POST", body: stream, duplex: "half" } as RequestInit;
  expect(await (await fetch(`${served.url}/v1/x`, init)).text()).toBe("got it");
});

test("the head of a stream comes before its first event, and a caller that leaves ends the request", async () => {
  let gone = false;
  await using served = await startFront((_req, res) => {
    res.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    res.on("close", () => {
      gone = true;
    });
  });
  const leaving = new AbortController();
  const answer = await fetch(`${served.url}/v1/stream`, { signal: leaving.signal });
  expect(answer.status).toBe(200);
  leaving.abort();
  await waitFor(() => gone, "the worker to hear that the caller has gone");
});

test("a worker that breaks off is distinguished from one that never answered", async () => {
  await using served = await startFront((req, res) => {
    if (req.url === "/v1/begun") res.writeHead(200, { "content-length": "10" }).write("half");
    setImmediate(() => req.socket.destroy());
  });
  const answer = await fetch(`${served.url}/v1/never`);
  expect([answer.status, answer.headers.get("x-should-retry")]).toEqual([503, "true"]);
  const text = fetch(`${served.url}/v1/begun`).then((begun) => begun.text());
  await expect(text).rejects.toThrow();
});

test("without a worker it reports that it is starting, and refuses requests", async () => {
  const front = createFront(config);
  const { url } = await front.listen();
  const ready = await fetch(`${url}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([
    503,
    expect.objectContaining({ status: "starting" }),
  ]);
  const refused = await fetch(`${url}/v1/models`);
  expect([refused.status, refused.headers.get("x-should-retry")]).toEqual([503, "true"]);
  await front.close();
});
