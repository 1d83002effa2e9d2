import { setTimeout as delay } from "node:timers/promises";
import { chatCompletion, startBalancer, startFaultyUpstream, waitFor } from "@proj/test-kit";
import { describe, expect, test } from "vitest";
import { ask, type GotStep } from "./agent.ts";
import { isWithoutHaproxy } from "./balancer.ts";
import { body, chatOf, codeOf, ids, startCutSite, statusOf } from "./cut-site.ts";
import { isWithoutEnvoy, startOwnEnvoy } from "./envoy.ts";
import { post, sessionClient } from "./site.ts";
import { expectStoredOnce } from "./stored-steps.ts";

const balancers = [
  { name: "HAProxy", isLeftOut: isWithoutHaproxy, start: startBalancer },
  { name: "Envoy", isLeftOut: isWithoutEnvoy, start: startOwnEnvoy },
];

for (const { name, isLeftOut, start } of balancers)
  describe.skipIf(isLeftOut).concurrent(`behind ${name}`, () => {
    test("if only one gateway loses its database, it hands its sessions on and finishes what it has", async () => {
      await using upstream = await startFaultyUpstream(
        async (_request, reply) => void (await reply.json(chatCompletion())),
      );
      await using parts = await startCutSite(upstream.url, "first", { startBalancer: start });
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
      const request = await waitFor(() => upstream.requests[ids.length], "the held request");

      wire.cut();
      const others = ids.filter((id) => id !== one);
      const isServed = async (id: string): Promise<boolean> =>
        (await post(site.balancer.url, chatOf(id), body)).status === 200;
      for (const id of others) await waitFor(() => isServed(id), `an answer for ${id}`);
      expect(await statusOf(site.first.url)).toBe("storage_unavailable");
      expect(await site.sessionsAt(site.second)).toEqual(expect.arrayContaining(others));

      wire.mend();
      await waitFor(
        async () => (await statusOf(site.first.url)) === "ready",
        "the first to be back",
      );
      await request.reply.json(chatCompletion());
      const answer = await held;
      expect([answer.status, answer.headers.get("x-gateway-step-id")]).toEqual([200, "2"]);
      await askAll();
      expectStoredOnce(got, await site.storedRows());
    });

    test("if all lose their database, callers get the errors of the gateway that has their session", async () => {
      await using upstream = await startFaultyUpstream(
        async (_request, reply) => void (await reply.json(chatCompletion())),
      );
      await using parts = await startCutSite(upstream.url, "both", { startBalancer: start });
      const { site, wire } = parts;
      await Promise.all(ids.map((id) => ask(sessionClient(site.balancer.url, id), "On")));
      const before = await Promise.all([site.first, site.second].map((it) => site.sessionsAt(it)));
      wire.cut();
      for (const { url } of [site.first, site.second])
        await waitFor(
          async () => (await statusOf(url)) === "storage_unavailable",
          "them to notice",
        );
      // Before the balancer finds out, once it has for one gateway, and once it has for both.
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
  });
