import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { endpointsByName } from "@proj/model-apis";
import { describe, expect, it } from "vitest";
import {
  createCall,
  listen,
  listenHttp,
  listenRaw,
  readText,
  requestText,
  upstreamsTo,
} from "./upstream-fixture.ts";

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}

describe("forward", () => {
  it.each([
    ["chat_completions", "/v1", "/v1/chat/completions"],
    ["responses", "/v1", "/v1/responses"],
    ["responses", "", "/responses"],
    ["chat_completions", "/v1?api-version=2", "/v1/chat/completions?api-version=2"],
  ] as const)("posts %s of base path '%s' to %s", async (endpoint, base, path) => {
    const seen: string[] = [];
    const origin = await listenHttp(async (request, response) => {
      seen.push(`${request.method} ${request.url}`, await textOf(request));
      response.end("ok");
    });
    const { forward } = upstreamsTo(`${origin}${base}`);
    await readText(await forward(createCall({ endpoint: endpointsByName[endpoint] })));
    expect(seen).toEqual([`POST ${path}`, requestText]);
  });

  it("returns status, headers, body and the facts for the row", async () => {
    const origin = await listenHttp((_request, response) => {
      response.writeHead(418, {
        "content-type": "application/json",
        "content-length": 7,
        "x-request-id": "up-1",
        "x-weights": "v7",
        "retry-after": "3",
      });
      response.end('{"a":1}');
    });
    const { forward } = upstreamsTo(`${origin}/v1`, {
      route: { record_headers: ["x-weights", "x-absent"] },
    });
    const call = createCall();
    const answer = await forward(call);
    expect(call.sent).toMatchObject({ replica: `${origin}/v1`, attempts: 1 });
    expect(answer.status).toBe(418);
    expect(answer.format).toBe("plain");
    expect(answer.headers).toEqual(
      expect.arrayContaining(["content-length", "7", "x-request-id", "up-1", "retry-after", "3"]),
    );
    expect(answer.upstream).toEqual({
      status: 418,
      request_id: "up-1",
      replica: `${origin}/v1`,
      attempts: 1,
      content_type: "application/json",
      content_encoding: null,
      recorded_headers: { "x-weights": "v7" },
    });
    expect(await readText(answer)).toBe('{"a":1}');
    await answer.received.promise();
  });

  it("changes the body as the route asks", async () => {
    const bodies: string[] = [];
    const origin = await listenHttp(async (request, response) => {
      bodies.push(await textOf(request));
      response.end();
    });
    const { forward } = upstreamsTo(origin, { route: { upstream_model: "real" } });
    await readText(await forward(createCall()));
    expect(bodies).toEqual(['{"model":"real","messages":[]}']);
  });

  it("ignores interim answers and trailers", async () => {
    const origin = await listenRaw((socket) => {
      socket.write("HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n");
      socket.write("HTTP/1.1 102 Processing\r\n\r\n");
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ntrailer: x-t\r\n\r\n");
      socket.write("2\r\nok\r\n0\r\nx-t: 1\r\n\r\n");
    });
    const answer = await upstreamsTo(origin).forward(createCall());
    expect(answer.status).toBe(200);
    expect(answer.headers).toEqual([]);
    expect(await readText(answer)).toBe("ok");
  });

  it("passes non-ASCII bytes in header values on unchanged, both ways", async () => {
    const bytes = Buffer.from("日本").toString("latin1");
    const seen: unknown[] = [];
    const origin = await listenHttp((request, response) => {
      seen.push(request.headers["x-title"]);
      response.setHeader("x-name", bytes).end();
    });
    const answer = await upstreamsTo(origin).forward(createCall({ headers: { "x-title": bytes } }));
    expect(seen).toEqual([bytes]);
    expect(answer.headers[answer.headers.indexOf("x-name") + 1]).toBe(bytes);
  });

  it("records timings in order", async () => {
    const origin = await listenHttp((_request, response) => void response.end("ok"));
    const call = createCall();
    await readText(await upstreamsTo(origin).forward(call));
    const { started, forwarded, headersCame, firstByte, upstreamEnded } = call.timings;
    const times = [started, forwarded, headersCame, firstByte, upstreamEnded];
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(forwarded).toBeGreaterThan(0);
    expect(upstreamEnded).toBeLessThanOrEqual(performance.now());
  });

  it("counts requests in flight until the upstream's body has ended", async () => {
    const server = createServer();
    const origin = await listen(server);
    const upstreams = upstreamsTo(`${origin}/v1`);
    const requested = once(server, "request");
    const pending = upstreams.forward(createCall());
    const status = { replica: `${origin}/v1`, ejected: false, asked: true };
    expect(upstreams.replicas()).toEqual([{ ...status, in_flight: 1 }]);
    const [, response] = await requested;
    response.end("ok");
    const answer = await pending;
    await answer.received.promise();
    expect(upstreams.replicas()).toEqual([{ ...status, in_flight: 0 }]);
    expect(await readText(answer)).toBe("ok");
  });
});
