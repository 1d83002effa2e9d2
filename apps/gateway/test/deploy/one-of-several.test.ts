import { setTimeout as delay } from "node:timers/promises";
import { chatCompletion, startFaultyUpstream, startTcpProxy, waitFor } from "@proj/test-kit";
import { describe, expect, test } from "vitest";
import { ask, type GotStep } from "./agent.ts";
import { isWithoutHaproxy } from "./balancer.ts";
import { errorOnOwnConnection } from "./own-connection.ts";
import { headers, model, post, Site, sessionClient } from "./site.ts";
import { expectStoredOnce } from "./stored-steps.ts";

const body = { model, messages: [{ role: "user", content: "Hi" }] };
const strict = "telemetry: { write_timeout_s: 1 }";
const ids = Array.from({ length: 12 }, (_, number) => `s-${number}`);
const chatOf = (session_id: string): string => `/v1/sessions/${session_id}/chat/completions`;
const codeOf = async (answer: Response): Promise<string> =>
  ((await answer.json()) as { error: { code: string } }).error.code;
const statusOf = async (url: string): Promise<string> =>
  ((await (await fetch(`${url}/readyz`)).json()) as { status: string }).status;

/** A site whose first gateway, or whose both, reach the database by a wire that can be cut. */
async function startSite(upstreamUrl: string, cuts: "first" | "both", config: string = strict) {
  const server = new URL(process.env.TEST_DATABASE_URL ?? "");
  const wire = await startTcpProxy(Number(server.port));
  const byWire = (db_url: string): string => {
    const url = new URL(db_url);
    url.port = String(wire.port);
    return url.href;
  };
  const ways = cuts === "first" ? { firstDbUrl: byWire } : { everyDbUrl: byWire };
  const site = await Site.start({ upstreamUrl, config, ...ways });
  return {
    ...{ site, wire },
    [Symbol.asyncDispose]: async () => {
      await site[Symbol.asyncDispose]();
      await wire[Symbol.asyncDispose]();
    },
  };
}

describe.skipIf(isWithoutHaproxy).concurrent("behind HAProxy", () => {
  test("a gateway that alone loses its database hands on its sessions and finishes what it has", async () => {
    await using upstream = await startFaultyUpstream(
      async (_request, reply) => void (await reply.json(chatCompletion())),
    );
    await using parts = await startSite(upstream.url, "first");
    const { site, wire } = parts;
    const got: GotStep[] = [];
    const askAll = async (): Promise<void> => {
      const steps = ids.map((id) => ask(sessionClient(site.balancer.url, id), "On"));
      got.push(...(await Promise.all(steps)));
    };
    await askAll();
    const [one = ""] = await site.sessionsAt(site.first);
    expect(ids).toContain(one);
    upstream.script(() => {});
    const held = post(site.balancer.url, chatOf(one), body);
    const request = await waitFor(() => upstream.requests[ids.length], "the request that is held");

    wire.cut();
    const others = ids.filter((id) => id !== one);
    const isServed = async (id: string): Promise<boolean> =>
      (await post(site.balancer.url, chatOf(id), body)).status === 200;
    for (const id of others) await waitFor(() => isServed(id), `an answer for ${id}`);
    expect(await statusOf(site.first.url)).toBe("storage_unavailable");
    expect(await site.sessionsAt(site.second)).toEqual(expect.arrayContaining(others));

    wire.mend();
    await waitFor(async () => (await statusOf(site.first.url)) === "ready", "the first to be back");
    await request.reply.json(chatCompletion());
    const answer = await held;
    expect([answer.status, answer.headers.get("x-gateway-step-id")]).toEqual([200, "2"]);
    await askAll();
    expectStoredOnce(got, await site.storedRows());
  });

  test("with best effort a gateway without its database keeps its sessions, and stores its rows later", async () => {
    await using upstream = await startFaultyUpstream(
      async (_request, reply) => void (await reply.json(chatCompletion())),
    );
    await using parts = await startSite(upstream.url, "first", "telemetry: { mode: best_effort }");
    const { site, wire } = parts;
    const got: GotStep[] = [];
    const askAll = async (): Promise<void> => {
      const steps = ids.map((id) => ask(sessionClient(site.balancer.url, id), "On"));
      got.push(...(await Promise.all(steps)));
    };
    await askAll();
    const before = await site.sessionsAt(site.first);
    wire.cut();
    const isAway = async () => (await statusOf(site.first.url)) === "storage_unavailable";
    await waitFor(isAway, "it to notice");
    // Until HAProxy has asked it twice, and longer.
    for (let round = 0; round < 4; round += 1) {
      await askAll();
      await delay(700);
    }
    expect(await site.sessionsAt(site.first)).toEqual(expect.arrayContaining([...before]));
    wire.mend();
    await waitFor(async () => (await statusOf(site.first.url)) === "ready", "it to be back");
    const count = async (): Promise<boolean> => (await site.storedRows()).length >= got.length;
    await waitFor(count, "all rows to be written");
    expectStoredOnce(got, await site.storedRows());
  });

  test("all without their database: callers get the gateways' own errors, from the gateway that has the session", async () => {
    await using upstream = await startFaultyUpstream(
      async (_request, reply) => void (await reply.json(chatCompletion())),
    );
    await using parts = await startSite(upstream.url, "both");
    const { site, wire } = parts;
    await Promise.all(ids.map((id) => ask(sessionClient(site.balancer.url, id), "On")));
    const before = await Promise.all([site.first, site.second].map((it) => site.sessionsAt(it)));
    wire.cut();
    for (const { url } of [site.first, site.second])
      await waitFor(async () => (await statusOf(url)) === "storage_unavailable", "them to notice");
    // Before HAProxy finds out, when it has for one of them, and when it has for both.
    for (let round = 0; round < 5; round += 1) {
      for (const id of ids) {
        const answer = await post(site.balancer.url, chatOf(id), body);
        expect(answer.headers.get("x-gateway-session-id")).toBe(id);
        expect([answer.status, await codeOf(answer)]).toEqual([503, "telemetry_unavailable"]);
      }
      await delay(700);
    }
    wire.mend();
    for (const { url } of [site.first, site.second])
      await waitFor(async () => (await statusOf(url)) === "ready", "them to be back");
    const after = await Promise.all([site.first, site.second].map((it) => site.sessionsAt(it)));
    expect(after.map((it) => it.toSorted())).toEqual(before.map((it) => it.toSorted()));
  });

  test("the callers of a frozen gateway are cut off and served by another; what it answers later is not stored", async () => {
    await using upstream = await startFaultyUpstream();
    await using site = await Site.start({ upstreamUrl: upstream.url, config: strict });
    const calls = ids.map((id) =>
      errorOnOwnConnection(site.balancer.url + chatOf(id), { headers, body }),
    );
    for (const call of calls) call.catch(() => {});
    await waitFor(() => upstream.requests.length === ids.length, "all at the upstream");
    const [one = ""] = await site.sessionsAt(site.first);
    expect(ids).toContain(one);
    site.first.program.kill("SIGSTOP");
    try {
      const cut = await calls[ids.indexOf(one)];
      expect([cut?.status, cut?.code]).toEqual([502, "gateway_unreachable"]);
      expect(cut?.headers["x-should-retry"]).toBe("true");
      const before = upstream.requests.length;
      const again = post(site.balancer.url, chatOf(one), body);
      const request = await waitFor(() => upstream.requests[before], "the request to come again");
      await request.reply.json(chatCompletion());
      expect((await again).status).toBe(200);
    } finally {
      site.first.program.kill("SIGCONT");
    }
    for (const { reply } of upstream.requests) await reply.json(chatCompletion()).catch(() => {});
    await waitFor(async () => (await statusOf(site.first.url)) === "ready", "the first to be back");
    const rows = await site.storedRows();
    expect(rows.filter(({ session_id }) => session_id === one)).toMatchObject([
      { step_id: 1, status_code: 200 },
    ]);
  });
});
