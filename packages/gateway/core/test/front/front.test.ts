import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { join } from "node:path";
import { type ErrorBody, parseConfig } from "@proj/gateway-protocol";
import { temporaryFolder, waitFor } from "@proj/test-kit";
import { expect, test } from "vitest";
import { createFront, type FrontOptions } from "../../src/index.ts";

const config = parseConfig(
  "listen_port: 0\nllm_routes: { small: { base_url: 'http://127.0.0.1:1/v1' } }\n",
  "test.yaml",
  {},
);

/** A front with one worker, which answers as the listener does. */
async function startFront(
  listener: (req: IncomingMessage, res: ServerResponse) => void,
  options: FrontOptions = {},
) {
  const folder = await temporaryFolder();
  const socketPath = join(folder.path, "worker");
  const worker = createServer(listener);
  await new Promise<void>((resolve) => worker.listen(socketPath, resolve));
  const front = createFront(config, options);
  const { url } = await front.listen();
  front.admit(1, socketPath);
  return {
    front,
    url,
    socketPath,
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

test("a caller that lists 100-continue among its expectations may send its body", async () => {
  await using served = await startFront((req, res) => req.pipe(res));
  const headers = { expect: "other, 100-continue", "content-length": "4" };
  const sent = request(`${served.url}/v1/echo`, { method: "POST", headers });
  sent.flushHeaders();
  await once(sent, "continue");
  sent.end("body");
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  expect(await answer.toArray()).toEqual([Buffer.from("body")]);
});

test("a request for all workers may have a body, which they do not get", async () => {
  await using served = await startFront((req, res) => {
    res.end(JSON.stringify([req.headers["content-length"] ?? "0", req.headers["x-more"]]));
  });
  const init = { method: "POST", body: "{}", headers: { "x-more": "kept" } };
  const answer = await fetch(`${served.url}/v1/routes/reload`, init);
  expect([answer.status, await answer.json()]).toEqual([200, ["0", "kept"]]);
});

test("a reload names the workers that did not answer in time", async () => {
  await using served = await startFront((_req, res) => void res.end("{}"), { answerMs: 500 });
  await using stuck = await startFront(() => {});
  served.front.admit(2, stuck.socketPath);
  served.front.admit(3, stuck.socketPath);
  const answer = await fetch(`${served.url}/v1/routes/reload`, { method: "POST" });
  const { error } = (await answer.json()) as ErrorBody;
  expect([answer.status, error]).toEqual([
    504,
    {
      code: "reload_incomplete",
      message: expect.stringMatching(/ 2, 3\. They may still serve the old routes\./),
      param: null,
      type: "server_error",
    },
  ]);
});

test("a list of sessions without those of a silent worker is refused", async () => {
  const page = JSON.stringify({ sessions: [], next_after: null });
  await using served = await startFront((_req, res) => void res.end(page), { answerMs: 500 });
  expect((await fetch(`${served.url}/v1/sessions`)).status).toBe(200);
  await using stuck = await startFront(() => {});
  served.front.admit(2, stuck.socketPath);
  const answer = await fetch(`${served.url}/v1/sessions`);
  const { error } = (await answer.json()) as ErrorBody;
  expect([answer.status, error.code]).toEqual([503, "overloaded"]);
  expect(error.message).toMatch(/did not answer: 2\. The list would lack their sessions\./);
  // Those in storage are the same at every worker.
  expect((await fetch(`${served.url}/v1/sessions?stored=true`)).status).toBe(200);
});

test("a worker that dies during a reload has a successor with the new routes", async () => {
  await using served = await startFront((_req, res) => void res.end("{}"));
  const asked = Promise.withResolvers<void>();
  await using dying = await startFront(() => asked.resolve());
  served.front.admit(2, dying.socketPath);
  const answered = fetch(`${served.url}/v1/routes/reload`, { method: "POST" });
  await asked.promise;
  served.front.dismiss(2);
  expect((await answered).status).toBe(200);
});

test("metrics are merged in the format that the scraper accepts, and only OpenMetrics has exemplars", async () => {
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

test("a worker that dies during a scrape is not counted twice", async () => {
  const calls = (count: number): string =>
    `# HELP a A.\n# TYPE a counter\na_total ${count}\n# EOF\n`;
  const answers = [calls(3), calls(5)];
  await using dying = await startFront((req, res) => {
    res.end(req.url === "/metrics" ? answers.shift() : "");
  });
  const held = Promise.withResolvers<void>();
  let scrapes = 0;
  await using other = await startFront(async (req, res) => {
    if (req.url === "/metrics") {
      scrapes += 1;
      if (scrapes === 2) await held.promise;
    }
    res.end(calls(4));
  });
  const { front, url } = dying;
  front.admit(2, other.socketPath);
  const scrape = async () => (await fetch(`${url}/metrics`)).text();
  expect(await scrape()).toContain("a_total 7");
  const second = scrape();
  await waitFor(() => answers.length === 0 && scrapes === 2, "both workers to be asked again");
  // After another round trip, the front has read the first worker's answer.
  await fetch(`${other.url}/readyz`);
  front.dismiss(1);
  held.resolve();
  expect(await second).toContain("a_total 7");
});

test("a body that arrives in pieces is forwarded before it is complete", async () => {
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

test("a worker that breaks off cuts the answer off; one that never answered can be retried", async () => {
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
