import { describe, expect, it } from "vitest";
import { backoff, delayAfterAnswer } from "../../src/upstream/retry.ts";
import {
  createCall,
  deadOrigin,
  failureOf,
  listenHttp,
  listenRaw,
  readText,
  upstreamsTo,
} from "./upstream-fixture.ts";

/** Answers with each status in turn, then with 200. `retry-after-ms` keeps the tests quick. */
async function answering(
  ...statuses: number[]
): Promise<{ origin: string; requests: () => number }> {
  let requests = 0;
  const origin = await listenHttp((request, response) => {
    request.resume();
    const status = statuses[requests] ?? 200;
    requests += 1;
    response.writeHead(status, { "retry-after-ms": "1" }).end(`answer ${requests}`);
  });
  return { origin, requests: () => requests };
}

describe("retries", () => {
  it("are none by default", async () => {
    const { origin, requests } = await answering(503);
    const answer = await upstreamsTo(origin).forward(createCall());
    expect(answer.status).toBe(503);
    expect(await readText(answer)).toBe("answer 1");
    expect(requests()).toBe(1);
  });

  it.each([429, 500, 502, 503, 504])(
    "follow an answer of %i, as often as the route says",
    async (status) => {
      const { origin } = await answering(status, status);
      const answer = await upstreamsTo(origin, { route: { retries: 2 } }).forward(createCall());
      expect(answer.status).toBe(200);
      expect(answer.upstream?.attempts).toBe(3);
      expect(await readText(answer)).toBe("answer 3");
    },
  );

  it("end with the last answer, unchanged", async () => {
    const { origin } = await answering(503, 503, 503);
    const answer = await upstreamsTo(origin, { route: { retries: 1 } }).forward(createCall());
    expect(answer.status).toBe(503);
    expect(answer.upstream?.attempts).toBe(2);
    expect(await readText(answer)).toBe("answer 2");
  });

  it.each([408, 409, 501, 520, 529])("follow an answer of %i, too", async (status) => {
    const { origin } = await answering(status);
    const answer = await upstreamsTo(origin, { route: { retries: 1 } }).forward(createCall());
    expect(answer.status).toBe(200);
  });

  it.each([400, 401, 404, 422])("do not follow an answer of %i", async (status) => {
    const { origin, requests } = await answering(status);
    const answer = await upstreamsTo(origin, { route: { retries: 2 } }).forward(createCall());
    expect(answer.status).toBe(status);
    expect(requests()).toBe(1);
  });

  it("follow a lost connection", async () => {
    let requests = 0;
    const origin = await listenRaw((socket) => {
      requests += 1;
      if (requests === 1) socket.end();
      else socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    });
    const answer = await upstreamsTo(origin, { route: { retries: 1 } }).forward(createCall());
    expect(answer.upstream?.attempts).toBe(2);
    expect(await readText(answer)).toBe("ok");
  });

  it("end with the last failure", async () => {
    const { forward } = upstreamsTo(`${deadOrigin}/v1`, { route: { retries: 2 } });
    const call = createCall();
    expect((await failureOf(forward(call))).code).toBe("upstream_unreachable");
    expect(call.sent).toEqual({ replica: `${deadOrigin}/v1`, attempts: 3, stripped: null });
  });

  it.each([
    ["a time-out", "", { first_byte_s: 0.05 }, "upstream_timeout"],
    ["what is not HTTP", "garbage\r\n", {}, "upstream_invalid_response"],
    [
      "a body that stops coming",
      "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc",
      { idle_s: 0.05 },
      "upstream_timeout",
    ],
  ])("do not follow %s", async (_name, bytes, timeouts, code) => {
    let requests = 0;
    const origin = await listenRaw((socket) => {
      requests += 1;
      socket.write(bytes);
    });
    const { forward } = upstreamsTo(origin, { route: { retries: 2 }, timeouts });
    expect((await failureOf(forward(createCall()))).code).toBe(code);
    expect(requests).toBe(1);
  });

  it("cut off an unwanted answer that does not end", async () => {
    let requests = 0;
    const cut = Promise.withResolvers<void>();
    const origin = await listenHttp((_request, response) => {
      requests += 1;
      if (requests > 1) return void response.end("ok");
      response.once("close", cut.resolve);
      response.writeHead(503, { "retry-after-ms": "1" }).write("…");
    });
    const upstreams = upstreamsTo(origin, { route: { retries: 1 } });
    const call = createCall();
    expect(await readText(await upstreams.forward(call))).toBe("ok");
    await cut.promise;
    expect(upstreams.replicas()[0]?.in_flight).toBe(0);
  });
});

describe("the wait before a retry", () => {
  it("doubles from 0.2 s to 2 s, less up to half of it", () => {
    const longest = [0, 1, 2, 3, 4, 9].map((retry) => Math.round(backoff(retry, () => 0.999999)));
    expect(longest).toEqual([200, 400, 800, 1600, 2000, 2000]);
    expect(backoff(0, () => 0)).toBe(100);
  });

  it.each([
    [{ "retry-after": "2" }, 2000],
    [{ "retry-after": "5" }, 5000],
    [{ "retry-after-ms": "30", "retry-after": "4" }, 30],
    [{ "retry-after": "6" }, null],
    [{ "retry-after": "Fri, 31 Dec 9999 23:59:59 GMT" }, null],
    [{ "retry-after": "Fri, 31 Dec 1999 23:59:59 GMT" }, 0],
    [{ "retry-after": "soon" }, 100],
    [{}, 100],
  ])("%j: %s ms", (headers, expected) => {
    expect(delayAfterAnswer({ status: 429, headers }, 0, () => 0)).toBe(expected);
  });
});
