import type { IncomingHttpHeaders } from "node:http";
import type { RouteConfig } from "@proj/gateway-protocol";
import { endpointsByName } from "@proj/model-apis";
import { describe, expect, it } from "vitest";
import {
  createRequestHeaderRules,
  readResponseHeaders,
} from "../../src/upstream/forwarded-headers.ts";
import { createCall, listenHttp, readText, routeTo, upstreamsTo } from "./upstream-fixture.ts";

const identity = ["accept-encoding", "identity"];

describe("headers of the request", () => {
  const rules = createRequestHeaderRules(routeTo([]), endpointsByName.chat_completions);

  it.each([
    "connection",
    "keep-alive",
    "proxy-connection",
    "transfer-encoding",
    "trailer",
    "upgrade",
    "host",
    "content-length",
    "expect",
    "te",
    "accept-encoding",
    "authorization",
    "proxy-authorization",
    "x-api-key",
    "api-key",
    "cookie",
    "forwarded",
    "x-forwarded-for",
    "x-forwarded-anything",
    "x-session-id",
  ])("%s is never forwarded", (name) => {
    expect(rules({ [name]: "v" }, null)).toEqual(identity);
  });

  it.each([
    ["traceparent", "00-1-2-01"],
    ["x-stainless-retry-count", "0"],
    ["x-gateway-note", "n"],
    ["__proto__", "p"],
    ["constructor", "c"],
  ])("%s is forwarded", (name, value) => {
    const headers: IncomingHttpHeaders = Object.create(null);
    headers[name] = value;
    expect(rules(headers, null)).toEqual([name, value, ...identity]);
  });

  it("those named in Connection are not forwarded", () => {
    const headers = {
      connection: "close, X-Hop ,x-other",
      "x-hop": "1",
      "x-other": "2",
      "x-on": "3",
    };
    expect(rules(headers, null)).toEqual(["x-on", "3", ...identity]);
  });

  it("several values of one name are kept apart", () => {
    expect(rules({ "set-cookie": ["a", "b"] }, null)).toEqual([
      ...["set-cookie", "a", "set-cookie", "b"],
      ...identity,
    ]);
  });

  it("a session's id replaces the caller's value", () => {
    expect(rules({ "x-session-id": "theirs" }, "s1")).toEqual(["x-session-id", "s1", ...identity]);
  });

  it("the route's key is sent, and the route's headers win over everything", () => {
    const keyed = createRequestHeaderRules(
      routeTo([], { api_key: "k", headers: { "x-a": "route" } }),
      endpointsByName.chat_completions,
    );
    expect(keyed({ "x-a": "caller", authorization: "Bearer mine" }, null)).toEqual([
      ...identity,
      ...["authorization", "Bearer k", "x-a", "route"],
    ]);
    const overriding = createRequestHeaderRules(
      routeTo([], {
        api_key: "k",
        headers: { authorization: "Basic b", "accept-encoding": "gzip", "x-session-id": "fixed" },
      }),
      endpointsByName.chat_completions,
    );
    expect(overriding({}, "s1")).toEqual([
      ...["accept-encoding", "gzip", "authorization", "Basic b", "x-session-id", "fixed"],
    ]);
  });

  it.each([
    [{ headers: { "content-length": "1" } }, /content-length cannot be set/],
    [{ headers: { "x-a": "1\n2" } }, /x-a/],
    [{ headers: { "x a": "1" } }, /x a/],
    [{ api_key: "secret\n" }, /authorization/],
  ])("a route header that cannot be sent is refused at start: %j", (changes, message) => {
    expect(() =>
      createRequestHeaderRules(routeTo([], changes), endpointsByName.chat_completions),
    ).toThrow(message);
    expect(() =>
      createRequestHeaderRules(routeTo([], changes), endpointsByName.chat_completions),
    ).not.toThrow(/secret/);
  });

  it("a key goes into the header of the API or the route, and Anthropic's version has a default", () => {
    const api_key = "k";
    const version = ["anthropic-version", "2023-06-01"];
    const sent = (changes: Partial<RouteConfig>, headers: IncomingHttpHeaders = {}) =>
      createRequestHeaderRules(routeTo([], { api_key, ...changes }), endpointsByName.messages)(
        headers,
        null,
      );
    expect(sent({})).toEqual([...version, ...identity, "x-api-key", "k"]);
    expect(sent({ auth_header: "authorization" })).toEqual([
      ...version,
      ...identity,
      ...["authorization", "Bearer k"],
    ]);
    const own = { "anthropic-version": "2024-01-01", "anthropic-beta": "a,b", "x-api-key": "mine" };
    expect(sent({ api_key: null }, own)).toEqual([
      ...["anthropic-version", "2024-01-01", "anthropic-beta", "a,b"],
      ...identity,
    ]);
    const chat = createRequestHeaderRules(
      routeTo([], { api_key, auth_header: "x-api-key" }),
      endpointsByName.chat_completions,
    );
    expect(chat({}, null)).toEqual([...identity, "x-api-key", "k"]);
  });

  it("are those that the upstream sees", async () => {
    const seen: IncomingHttpHeaders[] = [];
    const origin = await listenHttp((request, response) => {
      seen.push(request.headers);
      response.end();
    });
    const { forward } = upstreamsTo(origin, { route: { api_key: "k" } });
    const headers = { host: "gateway", "content-length": "999", te: "trailers", "x-a": "1" };
    await readText(await forward(createCall({ headers, session_id: "s1" })));
    expect(seen).toEqual([
      {
        host: origin.slice("http://".length),
        connection: "keep-alive",
        "x-a": "1",
        "x-session-id": "s1",
        "accept-encoding": "identity",
        authorization: "Bearer k",
        "content-length": "27",
      },
    ]);
  });
});

describe("headers of the answer", () => {
  it.each([
    "connection",
    "keep-alive",
    "proxy-authenticate",
    "proxy-connection",
    "transfer-encoding",
    "te",
    "trailer",
    "upgrade",
    "set-cookie",
    "alt-svc",
    "strict-transport-security",
    "x-gateway-session-id",
    "x-gateway-anything",
  ])("%s is never returned", (name) => {
    expect(readResponseHeaders({ [name]: "v" }, []).relayed).toEqual([]);
  });

  it("those named in Connection are dropped, all others are returned", () => {
    const headers = {
      connection: "X-Hop",
      "x-hop": "1",
      "content-length": "3",
      "x-ratelimit-remaining-requests": "7",
      vary: ["a", "b"],
    } as const;
    expect(readResponseHeaders({ ...headers, vary: "a, b" }, []).relayed).toEqual([
      ...["content-length", "3", "x-ratelimit-remaining-requests", "7", "vary", "a, b"],
    ]);
  });

  it.each([
    [{ "content-type": "text/event-stream" }, "event_stream"],
    [{ "content-type": "Text/Event-Stream ; charset=utf-8" }, "event_stream"],
    [{ "content-type": "text/event-stream", "content-encoding": "identity" }, "event_stream"],
    [{ "content-type": "text/event-stream", "content-encoding": "gzip" }, "encoded"],
    [{ "content-type": "application/json", "content-encoding": "br" }, "encoded"],
    [{ "content-type": "application/json" }, "plain"],
    [{ "content-type": "text/event-streams" }, "plain"],
    [{}, "plain"],
  ])("%j is %s", (headers, format) => {
    expect(readResponseHeaders(headers, []).format).toBe(format);
  });

  it("records the headers that the route names, if they came", () => {
    expect(readResponseHeaders({ "x-a": "1" }, ["x-a", "x-b"]).facts.recorded_headers).toEqual({
      "x-a": "1",
    });
    expect(readResponseHeaders({}, ["x-a"]).facts.recorded_headers).toBeNull();
  });
});
