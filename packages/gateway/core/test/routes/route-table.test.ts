import { parseConfig, type RouteConfig } from "@proj/gateway-protocol";
import { Registry } from "prom-client";
import { expect, onTestFinished, test } from "vitest";
import { compose } from "../../src/call/stage.ts";
import { createRequestMetrics } from "../../src/metrics/route-metrics.ts";
import { limitRoute } from "../../src/pipeline/limit-route.ts";
import { RouteTable } from "../../src/routes/route-table.ts";
import { createCall, listenHttp, readText } from "../upstream/upstream-fixture.ts";

type Routes = Readonly<Record<string, Partial<RouteConfig> & { readonly base_url: string }>>;

const { timeouts } = parseConfig(
  JSON.stringify({ storage_config: { db_url: "sqlite://x.db" }, llm_routes: served({ m: "a" }) }),
  "test",
  {},
);

function served(urls: Readonly<Record<string, string>>): Routes {
  return Object.fromEntries(
    Object.entries(urls).map(([model, url]) => [
      model,
      { base_url: /^\w+:/.test(url) ? url : `http://${url}.test/v1`, max_concurrency: 1 },
    ]),
  );
}

function configOf(routes: Routes): Readonly<Record<string, RouteConfig>> {
  const text = JSON.stringify({ storage_config: { db_url: "sqlite://x.db" }, llm_routes: routes });
  return parseConfig(text, "test", {}).llm_routes;
}

function openTable(routes: Routes): RouteTable {
  const { createRoute: openMetrics } = createRequestMetrics(new Registry());
  const table = new RouteTable(configOf(routes), { timeouts, openMetrics });
  onTestFinished(() => table.close());
  return table;
}

const upstreamThatSays = (text: string): Promise<string> =>
  listenHttp((_request, response) => void response.end(text));

test.each([
  ["ftp://host/v1", /llm_routes\.m: base_url: ftp:/],
  ["http://user:secret@host/v1", /give credentials as api_key/],
])("a route with the base URL %s is refused, without repeating a secret", (url, message) => {
  const bad = () => ({ m: { ...configOf(served({ m: "a" })).m, base_urls: [url] } as RouteConfig });
  const table = openTable(served({ m: "a", n: "a" }));
  const route = table.find("m", "chat_completions");
  expect(() => table.replace(bad())).toThrow(message);
  expect(() => table.replace(bad())).not.toThrow(/secret/);
  expect(table.keys).toEqual(["m", "n"]);
  expect(table.find("m", "chat_completions")).toBe(route);
});

test("a route that a reload does not change stays the same object", () => {
  const table = openTable(served({ m: "a", n: "a" }));
  const [m, n] = ["m", "n"].map((model) => table.find(model, "chat_completions"));
  table.replace(configOf(served({ m: "a", n: "b" })));
  expect(table.find("m", "chat_completions")).toBe(m);
  const next = table.find("n", "chat_completions");
  expect(next).not.toBe(n);
  expect(n?.latest).toBe(next);
  expect(next).toMatchObject({ queue: n?.queue, metrics: n?.metrics, traffic: n?.traffic });
});

test("a route that comes back still knows its requests in flight", () => {
  const table = openTable(served({ m: "a" }));
  const { queue, upstream } = table.find("m", "chat_completions");
  expect(queue.tryAcquire("s")).toBe(true);
  table.replace(configOf(served({ n: "a" })));
  expect(() => table.find("m", "chat_completions")).toThrow("is not a route of this gateway");
  expect([...table.everServed].map(({ model }) => model)).toEqual(["m", "n"]);
  table.replace(configOf(served({ m: "a" })));
  const again = table.find("m", "chat_completions");
  expect(again.queue.inFlight).toBe(1);
  // Its former servers are closing.
  expect(again.upstream).not.toBe(upstream);
});

test("a call that waits for a place goes on with the route that replaces its own", async () => {
  const [before, after] = await Promise.all(["before", "after"].map(upstreamThatSays));
  const table = openTable(served({ m: before ?? "" }));
  const route = table.find("m", "chat_completions");
  route.queue.pause(false);
  const handle = compose([limitRoute()], (call) => call.route.upstream.forward(call));
  const call = createCall({ model: "m", route });
  const answering = handle(call);
  table.replace(configOf(served({ m: after ?? "" })));
  route.queue.resume();
  expect(await readText(await answering)).toBe("after");
  expect(call.route).toBe(table.find("m", "chat_completions"));
});

test("a call that waits for a place of a route that is gone is refused at once", async () => {
  const table = openTable(served({ m: "a" }));
  const route = table.find("m", "chat_completions");
  route.queue.pause(false);
  const handle = compose([limitRoute()], (call) => call.route.upstream.forward(call));
  const answering = handle(createCall({ model: "m", route }));
  table.replace(configOf(served({ n: "a" })));
  await expect(answering).rejects.toMatchObject({ code: "model_not_found" });
  expect(route.queue.waiting).toBe(0);
});

test("routes that share a key of a provider wait together, also after a reload", async () => {
  let asked = 0;
  const base_url = await listenHttp((request, response) => {
    request.resume();
    asked += 1;
    response.writeHead(asked === 1 ? 429 : 200, { "retry-after-ms": "200" }).end("answer");
  });
  const own = { base_url, api_key: "key-of-the-team" };
  const table = openTable({ m: own, n: own });
  const send = async (model: string): Promise<number> => {
    const answer = await table.get(model).upstream.forward(createCall());
    await readText(answer);
    return answer.status;
  };
  const before = performance.now();
  expect(await send("m")).toBe(429);
  table.replace(configOf({ m: own, n: { ...own, max_concurrency: 2 } }));
  expect(await send("n")).toBe(200);
  expect(performance.now() - before).toBeGreaterThanOrEqual(200);
});
