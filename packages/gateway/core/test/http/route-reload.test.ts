import type { OverviewBody } from "@proj/gateway-protocol";
import {
  fixedPaths,
  type GatewayConfig,
  gatewayPaths,
  type ModelListBody,
  parseConfig,
} from "@proj/gateway-protocol";
import { chatCompletion, type RecordedRequest, startFaultyUpstream, waitFor } from "@proj/test-kit";
import { expect, onTestFinished, test } from "vitest";
import { inFlight, sessionClient } from "../session/session-client.ts";
import { startGateway } from "../start-gateway.ts";
import { expectError } from "./error-answer.ts";

const { models, reload, pauseRoute } = gatewayPaths();

/** A gateway with the routes `old` and `same`, whose configuration file a test rewrites. */
async function start() {
  const first = await startFaultyUpstream();
  const second = await startFaultyUpstream();
  const file = {
    llm_routes: { old: { base_url: first.url }, same: { base_url: first.url, max_concurrency: 1 } },
  };
  let text = JSON.stringify(file);
  const readConfig = (): GatewayConfig => parseConfig(text, "gateway.yaml", {});
  const gateway = await startGateway(file, { readConfig });
  onTestFinished(async () => {
    await gateway.close();
    await first.close();
    await second.close();
  });
  return {
    ...{ gateway, first, second },
    write: (config: object | string) => {
      text = typeof config === "string" ? config : JSON.stringify(config);
    },
    reload: () => gateway.post(reload, ""),
    keys: async (): Promise<string[]> => {
      const list = (await (await fetch(gateway.url + models)).json()) as ModelListBody;
      return list.data.map(({ id }) => id);
    },
  };
}

test("routes are added, changed and removed, and requests in flight continue where they are", async () => {
  const site = await start();
  const { gateway, first, second } = site;
  const session = sessionClient(gateway, "s");
  const same = session.chat({ model: "same" });
  const before = await first.nextRequest();
  const removed = session.chat({ model: "old" });
  const leaving = await first.nextRequest();
  const waits = session.chat({ model: "same" });
  site.write({
    llm_routes: {
      same: { base_url: second.url, max_concurrency: 2 },
      "org/new": { base_url: second.url },
    },
  });
  const changes = await site.reload();
  expect(await changes.json()).toEqual({ added: ["org/new"], changed: ["same"], removed: ["old"] });
  expect(await site.keys()).toEqual(["same", "org/new"]);

  // The second place admits the waiting request, which goes to the route's new server.
  await (await second.nextRequest()).reply.json(chatCompletion());
  expect((await waits).status).toBe(200);
  for (const request of [before, leaving]) await request.reply.json(chatCompletion());
  expect([(await same).status, (await removed).status]).toEqual([200, 200]);

  const added = session.chat({ model: "org/new" });
  await (await second.nextRequest()).reply.json(chatCompletion());
  expect((await added).status).toBe(200);
  await expectError(await session.chat({ model: "old" }), "model_not_found", { param: "model" });
  expect(await (await fetch(`${gateway.url}/metrics`)).text()).toContain('model="org/new"');
});

test("a lower max_concurrency holds while requests wait, and cuts nothing off", async () => {
  const site = await start();
  const { gateway, first } = site;
  const base = { base_url: first.url };
  const allow = async (max_concurrency: number): Promise<void> => {
    site.write({ llm_routes: { old: base, same: { ...base, max_concurrency } } });
    expect((await site.reload()).status).toBe(200);
  };
  await allow(6);
  const session = sessionClient(gateway, "many");
  const answers = Array.from({ length: 14 }, () => session.chat({ model: "same" }));
  let open: RecordedRequest[] = [];
  for (let count = 0; count < 6; count += 1) open.push(await first.nextRequest());
  await allow(2);
  const inFlightOf = async (model: string): Promise<number | undefined> => {
    const answer = await fetch(gateway.url + fixedPaths.overview);
    const { routes } = (await answer.json()) as OverviewBody;
    return routes.find((route) => route.model === model)?.in_flight;
  };
  const answer = async (): Promise<void> => {
    const [next, ...others] = open;
    open = others;
    await next?.reply.json(chatCompletion());
  };
  // Four places come free, and nobody gets one.
  for (let count = 0; count < 4; count += 1) {
    const before = first.requests.length;
    await answer();
    await waitFor(async () => (await inFlightOf("same")) === open.length, "the answer to end");
    expect(first.requests).toHaveLength(before);
  }
  for (let count = 0; count < 8; count += 1) {
    await answer();
    open.push(await first.nextRequest());
    expect(open).toHaveLength(2);
  }
  await answer();
  await answer();
  for (const each of answers) expect((await each).status).toBe(200);
});

test("requests that wait for a route that is removed are refused, and take no step", async () => {
  const site = await start();
  const { gateway, first } = site;
  const session = sessionClient(gateway, "removed");
  const served = session.chat({ model: "same" });
  const request = await first.nextRequest();
  const waiting = [1, 2, 3].map(() => session.chat({ model: "same" }));
  await inFlight(session, 4);
  site.write({ llm_routes: { old: { base_url: first.url } } });
  expect((await site.reload()).status).toBe(200);
  for (const each of waiting) {
    await expectError(await each, "model_not_found", { param: "model" });
  }
  await request.reply.json(chatCompletion());
  expect((await served).status).toBe(200);
  expect(
    gateway.steps("removed").map(({ step_id, status_code }) => [step_id, status_code]),
  ).toEqual([[1, 200]]);
});

test("an invalid configuration changes nothing and says why", async () => {
  const site = await start();
  for (const [config, why] of [
    ["llm_routes: [", "gateway.yaml"],
    [{ llm_routes: { old: { base_urll: "http://x" } } }, "base_urll"],
    [{ llm_routes: { old: { base_url: "http://user:secret@x/v1" } } }, "old"],
  ] as const) {
    site.write(config);
    const refused = await site.reload();
    const text = await refused.clone().text();
    await expectError(refused, "invalid_request");
    expect(text).toContain("nothing was changed");
    expect(text).toContain(why);
    expect(text).not.toContain("secret");
    expect(await site.keys()).toEqual(["old", "same"]);
  }
});

test("a route that comes back is still paused", async () => {
  const site = await start();
  await site.gateway.post(pauseRoute("old"), { mode: "refuse" });
  const { url: base_url } = site.first;
  site.write({ llm_routes: { same: { base_url } } });
  await site.reload();
  await expectError(
    await site.gateway.post(pauseRoute("old"), { mode: "hold" }),
    "model_not_found",
    { param: "model" },
  );
  site.write({ llm_routes: { same: { base_url }, old: { base_url } } });
  await site.reload();
  const refused = await sessionClient(site.gateway, "s").chat({ model: "old" });
  await expectError(refused, "route_paused");
});

test("without a file a reload is refused", async () => {
  await using gateway = await startGateway({ llm_routes: { demo: { base_url: "http://x/v1" } } });
  await expectError(await gateway.post(reload, ""), "invalid_request");
});
