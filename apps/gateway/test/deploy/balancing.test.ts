import { chatCompletion, startFaultyUpstream, staySilent, waitFor } from "@proj/test-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "./agent.ts";
import { isWithoutHaproxy } from "./balancer.ts";
import { type GatewayOfSite, headers, model, post, Site, sessionClient } from "./site.ts";

describe.skipIf(isWithoutHaproxy)("two gateways behind HAProxy", () => {
  let upstream: Awaited<ReturnType<typeof startFaultyUpstream>>;
  let site: Site;
  beforeAll(async () => {
    upstream = await startFaultyUpstream(
      async (_request, reply) => void (await reply.json(chatCompletion())),
    );
    site = await Site.start({ upstreamUrl: upstream.url });
  });
  afterAll(async () => {
    await site[Symbol.asyncDispose]();
    await upstream.close();
  });

  test("a session belongs to one gateway, however its id is spelled", async () => {
    const ids = ["a:b", "a+b", "a@b,c=d", "~a~", ...Array.from({ length: 12 }, (_, n) => `s:${n}`)];
    for (const id of ids) {
      const escaped = [...id].map((char) => `%${char.charCodeAt(0).toString(16)}`).join("");
      for (const [index, spelling] of [id, encodeURIComponent(id), escaped, id].entries()) {
        const { session_id, step_id } = await ask(sessionClient(site.balancer.url, spelling), "Hi");
        expect({ session_id, step_id }).toEqual({ session_id: id, step_id: index + 1 });
      }
    }
    // Step numbers would continue at another gateway, too: only the gateway's memory tells which one has the session.
    const here = await site.sessionsAt(site.first);
    const there = await site.sessionsAt(site.second);
    const held = [...here, ...there].filter((id) => ids.includes(id));
    expect(held.toSorted()).toEqual(ids.toSorted());
  });

  test("sessions spread over both", async () => {
    const ids = Array.from({ length: 100 }, (_, number) => `spread-${number}`);
    await Promise.all(
      ids.map((id) => post(site.balancer.url, `/v1/sessions/${id}/close`).then((it) => it.text())),
    );
    for (const gateway of [site.first, site.second]) {
      const sessions = await site.sessionsAt(gateway);
      const share = sessions.filter((id) => id.startsWith("spread-")).length;
      expect(share).toBeGreaterThan(25);
    }
  });

  test("requests without a session go to either gateway", async () => {
    const before = await Promise.all([site.first, site.second].map(admitted));
    const messages = [{ role: "user", content: "Hi" }];
    for (let number = 0; number < 4; number += 1) {
      const answer = await post(site.balancer.url, "/v1/chat/completions", { model, messages });
      expect(answer.status).toBe(200);
    }
    expect((await fetch(`${site.balancer.url}/v1/models`, { headers })).status).toBe(200);
    const after = await Promise.all([site.first, site.second].map(admitted));
    expect(after.reduce((sum, count) => sum + count)).toBe(before.reduce((a, b) => a + b) + 4);
    for (const [index, count] of after.entries()) expect(count).toBeGreaterThan(before[index] ?? 0);
  });

  test("a caller that leaves before its answer has begun ends the upstream's request", async () => {
    const leaving = new AbortController();
    upstream.script(staySilent());
    const earlier = upstream.requests.length;
    const asked = ask(sessionClient(site.balancer.url, "left"), "Hi", { signal: leaving.signal });
    const request = await waitFor(() => upstream.requests[earlier], "the upstream's request");
    leaving.abort();
    await expect(asked).rejects.toThrow(/abort/i);
    await request.closed();
    await expect
      .poll(async () => (await site.storedRows()).filter((row) => row.session_id === "left"))
      .toMatchObject([{ step_id: 1, status_code: 499 }]);
  });

  test("sessions of a draining gateway keep counting at the other one, and at its successor", async () => {
    const ids = Array.from({ length: 8 }, (_, number) => `moving-${number}`);
    const numbers: number[][] = [];
    const askAll = async (): Promise<void> => {
      const steps = ids.map((id) => ask(sessionClient(site.balancer.url, id), "On"));
      numbers.push((await Promise.all(steps)).map(({ step_id }) => step_id));
    };
    await askAll();
    const moving = (await site.sessionsAt(site.first)).filter((id) => ids.includes(id));
    expect(moving).not.toEqual([]);

    site.first.program.kill("SIGTERM");
    const isAvoided = async (): Promise<boolean> => {
      const before = await admitted(site.first);
      await askAll();
      return (await admitted(site.first)) === before;
    };
    await waitFor(isAvoided, "the balancer to notice that the gateway is draining");
    expect(await site.sessionsAt(site.second)).toEqual(expect.arrayContaining(ids));
    expect(await site.first.program.exit()).toEqual({ code: 0, signal: null });
    await askAll();

    await using next = await site.startInPlaceOf(site.first);
    const isBack = async (): Promise<boolean> => {
      await askAll();
      return (await site.sessionsAt(next)).length > 0;
    };
    await waitFor(isBack, "the balancer to notice the next gateway");
    await askAll();
    expect((await site.sessionsAt(next)).toSorted()).toEqual(moving.toSorted());
    expect(numbers).toEqual(numbers.map((_, index) => ids.map(() => index + 1)));
  });
});

/** The number of model requests that a gateway has admitted. */
async function admitted({ url }: GatewayOfSite): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`, { headers })).text();
  const counts = metrics.matchAll(/^gateway_requests_admitted_total\{[^}]*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}
