import type { RouteConfig } from "@proj/gateway-protocol";
import { expect, it } from "vitest";
import { GatewayError } from "../../src/errors/gateway-error.ts";
import { KeyHolds } from "../../src/upstream/key-holds.ts";
import { createCall, failureOf, listenHttp, readText, upstreamsTo } from "./upstream-fixture.ts";

interface Limited {
  readonly origin: string;
  /** When each request came, by `performance.now()`. */
  readonly cameAt: readonly number[];
}

/** Answers the first request with this status and these headers, and then with 200. */
async function limited(status: number, headers: Record<string, string>): Promise<Limited> {
  const cameAt: number[] = [];
  const origin = await listenHttp((request, response) => {
    request.resume();
    cameAt.push(performance.now());
    const isFirst = cameAt.length === 1;
    response.writeHead(isFirst ? status : 200, isFirst ? headers : {}).end("answer");
  });
  return { origin, cameAt };
}

/** How long after the first request the others came: its answer, which tells of the limit, came later still. */
const waitsOf = ([first = 0, ...others]: readonly number[]): number[] =>
  others.map((at) => at - first);

it.each([429, 503, 529])(
  "one %i with Retry-After holds the requests of all callers until then, spread out after",
  async (status) => {
    const { origin, cameAt } = await limited(status, { "retry-after-ms": "300" });
    let spread = 0;
    const random = (): number => {
      spread += 1;
      return 0;
    };
    const upstreams = upstreamsTo(origin, { random });
    const first = await upstreams.forward(createCall());
    expect(first.status).toBe(status);
    await readText(first);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => upstreams.forward(createCall())),
    );
    await Promise.all(answers.map(readText));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    expect(Math.min(...waitsOf(cameAt))).toBeGreaterThanOrEqual(300);
    expect(spread).toBeGreaterThanOrEqual(4);
  },
);

it.each([
  ["that must not be retried", { "retry-after-ms": "60000", "x-should-retry": "false" }],
  ["that asks for more than a minute", { "retry-after": "3600" }],
  ["that asks for no wait", {}],
])("a 429 %s holds nobody", async (_what, headers) => {
  const { origin, cameAt } = await limited(429, headers);
  const upstreams = upstreamsTo(origin);
  await readText(await upstreams.forward(createCall()));
  expect((await upstreams.forward(createCall())).status).toBe(200);
  expect(cameAt).toHaveLength(2);
});

it("a 429 with Retry-After holds every route that sends the same key to the same address, and no other", async () => {
  const came: string[] = [];
  const origin = await listenHttp((request, response) => {
    request.resume();
    came.push(`${request.url} ${request.headers.authorization ?? "no key"}`);
    const isFirst = came.length === 1;
    response.writeHead(isFirst ? 429 : 200, isFirst ? { "retry-after-ms": "1500" } : {}).end("a");
  });
  const keyHolds = new KeyHolds();
  const send = async (route: Partial<RouteConfig>, path: string = "/v1"): Promise<number> => {
    const answer = await upstreamsTo(origin + path, { keyHolds, route }).forward(createCall());
    await readText(answer);
    return answer.status;
  };
  const api_key = "key-of-the-team";
  expect(await send({ api_key })).toBe(429);
  // The same key, in another header.
  const held = send({ headers: { authorization: `Bearer ${api_key}` } });
  expect(await send({ api_key: "key-of-others" })).toBe(200);
  expect(await send({})).toBe(200);
  expect(await send({ api_key }, "/other")).toBe(200);
  expect(await held).toBe(200);
  expect(came).toEqual([
    `/v1/chat/completions Bearer ${api_key}`,
    "/v1/chat/completions Bearer key-of-others",
    "/v1/chat/completions no key",
    `/other/chat/completions Bearer ${api_key}`,
    `/v1/chat/completions Bearer ${api_key}`,
  ]);
});

it("an overload holds one route's server, not the routes that share its key", async () => {
  const { origin, cameAt } = await limited(529, { "retry-after": "50" });
  const setting = { keyHolds: new KeyHolds(), route: { api_key: "key-of-the-team" } };
  await readText(await upstreamsTo(origin, setting).forward(createCall()));
  expect((await upstreamsTo(origin, setting).forward(createCall())).status).toBe(200);
  expect(cameAt).toHaveLength(2);
});

it("a held request ends at once when its call is cancelled, and is not sent", async () => {
  const { origin, cameAt } = await limited(429, { "retry-after": "50" });
  const upstreams = upstreamsTo(origin);
  await readText(await upstreams.forward(createCall()));
  const call = createCall();
  const failure = failureOf(upstreams.forward(call));
  const reason = new GatewayError("session_closed", "gone");
  call.cancellation.cancel(reason);
  expect(await failure).toBe(reason);
  expect(cameAt).toHaveLength(1);
});

it.each([
  ["x-ratelimit-remaining-requests", "x-ratelimit-reset-requests", "400ms"],
  ["x-ratelimit-remaining-requests", "x-ratelimit-reset-requests", "0.4"],
  ["x-ratelimit-remaining-requests", "x-ratelimit-reset-requests", "0m0.4s"],
])("only as many requests begin as %s has left until %s (%s)", async (left, reset, when) => {
  const { origin, cameAt } = await limited(200, { [left]: "2", [reset]: when });
  const upstreams = upstreamsTo(origin);
  await readText(await upstreams.forward(createCall()));
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => upstreams.forward(createCall())),
  );
  await Promise.all(answers.map(readText));
  const waits = waitsOf(cameAt);
  expect(waits).toHaveLength(5);
  expect(waits.filter((ms) => ms < 400).length).toBeLessThanOrEqual(2);
});

it("a limit of tokens that is reached holds until its reset, as Anthropic says it", async () => {
  const { origin, cameAt } = await limited(200, {
    "anthropic-ratelimit-tokens-remaining": "0",
    "anthropic-ratelimit-tokens-reset": new Date(Date.now() + 1_500).toISOString(),
  });
  const upstreams = upstreamsTo(origin);
  await readText(await upstreams.forward(createCall()));
  await readText(await upstreams.forward(createCall()));
  expect((cameAt[1] ?? 0) - (cameAt[0] ?? 0)).toBeGreaterThan(1_000);
});

it("a 429 with Retry-After holds only the server that answered it, and all sessions go to the other", async () => {
  const busy = await limited(429, { "retry-after": "50" });
  const free = await limited(200, {});
  const upstreams = upstreamsTo([`${busy.origin}/v1`, `${free.origin}/v1`]);
  const statuses: number[] = [];
  for (let nth = 0; nth < 12; nth += 1) {
    const answer = await upstreams.forward(createCall({ session_id: `session-${nth}` }));
    statuses.push(answer.status);
    await readText(answer);
  }
  // Without retries, the first session on the busy server is told; nobody after it is sent there.
  expect(statuses.filter((status) => status !== 200)).toEqual([429]);
  expect(busy.cameAt).toHaveLength(1);
  expect(free.cameAt).toHaveLength(11);
});

it("a call that may be sent again goes to a server that is not held, at once", async () => {
  const busy = await limited(429, { "retry-after": "50" });
  const free = await limited(200, {});
  const upstreams = upstreamsTo([`${busy.origin}/v1`, `${free.origin}/v1`], {
    route: { retries: 1 },
  });
  const sessions = Array.from({ length: 12 }, (_, nth) => `session-${nth}`);
  for (const session_id of sessions) {
    const answer = await upstreams.forward(createCall({ session_id }));
    expect(answer.status).toBe(200);
    await readText(answer);
  }
  expect(busy.cameAt).toHaveLength(1);
  expect(free.cameAt).toHaveLength(12);
});
