import { setTimeout as delay } from "node:timers/promises";
import { chatCompletion, startFaultyUpstream, waitFor } from "@proj/test-kit";
import { describe, expect, test } from "vitest";
import { ask, type GotStep } from "./agent.ts";
import { isWithoutHaproxy } from "./balancer.ts";
import { body, chatOf, codeOf, ids, startCutSite, statusOf, strict } from "./cut-site.ts";
import { isWithoutEnvoy, startOwnEnvoy } from "./envoy.ts";
import { errorOnOwnConnection } from "./own-connection.ts";
import { headers, post, Site, sessionClient } from "./site.ts";
import { expectStoredOnce } from "./stored-steps.ts";

describe.skipIf(isWithoutHaproxy).concurrent("behind HAProxy", () => {
  test("with best effort a gateway without its database keeps its sessions, and stores its rows later", async () => {
    await using upstream = await startFaultyUpstream(
      async (_request, reply) => void (await reply.json(chatCompletion())),
    );
    const config = "telemetry: { mode: best_effort }";
    await using parts = await startCutSite(upstream.url, "first", { config });
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
    // Longer than HAProxy takes for two checks.
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

  test("callers of a frozen gateway are cut off and served by another; its later answers are not stored", async () => {
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

describe.skipIf(isWithoutEnvoy)("behind Envoy", () => {
  test("sessions of a frozen gateway are served by another; its later answers are not stored", async () => {
    await using upstream = await startFaultyUpstream(
      async (_request, reply) => void (await reply.json(chatCompletion())),
    );
    const options = { upstreamUrl: upstream.url, config: strict, startBalancer: startOwnEnvoy };
    await using site = await Site.start(options);
    await Promise.all(ids.map((id) => ask(sessionClient(site.balancer.url, id), "On")));
    const [one = ""] = await site.sessionsAt(site.first);
    expect(ids).toContain(one);
    upstream.script(() => {});
    const held = post(site.balancer.url, chatOf(one), body);
    const request = await waitFor(() => upstream.requests[ids.length], "the held request");
    site.first.program.kill("SIGSTOP");
    try {
      // Envoy leaves requests where they are: the caller gives up by itself, and asks again.
      const url = site.balancer.url + chatOf(one);
      const isServed = async (): Promise<boolean> => {
        const signal = AbortSignal.timeout(2_000);
        const asked = fetch(url, { method: "POST", headers, body: JSON.stringify(body), signal });
        return (await asked.catch(() => null))?.status === 200;
      };
      await waitFor(isServed, "another gateway's answer", 60_000);
    } finally {
      site.first.program.kill("SIGCONT");
    }
    await request.reply.json(chatCompletion({ id: "late" }));
    const late = await held;
    expect([late.status, await codeOf(late)]).toEqual([503, "session_moved"]);
    const stored = (await site.storedRows()).filter(({ session_id }) => session_id === one);
    expect(stored.map(({ answer_id }) => answer_id)).not.toContain("late");
  });
});
