import {
  ApiError,
  ConnectionError,
  createPointsClient,
  FallbackError,
  SnapshotGoneError,
} from "@proj/points-client";
import { expect, test } from "vitest";
import { cut, json, problem, quickly, serve } from "./serve.ts";

const quest = { totalPoints: "1", completed: true };

test("the second service is asked if the first fails, under its own prefix", async () => {
  await using first = await serve(cut);
  await using second = await serve(json(quest));
  const fallback = { baseUrl: second.url };
  using client = createPointsClient({ baseUrl: first.url, network: "main", fallback, ...quickly });
  expect(await client.quest("a")).toEqual(quest);
  expect(first.received).toHaveLength(2);
  expect(second.paths).toEqual(["/points/quest/address/a"]);
});

test.each([
  ["503", problem(503, "busy")],
  ["a page instead of JSON", json([], { "content-type": "text/html" })],
])("%s from the first service is a failure too", async (_what, answer) => {
  await using first = await serve(answer);
  await using second = await serve(json(quest));
  const fallback = { baseUrl: second.url, prefix: "api" };
  using client = createPointsClient({ baseUrl: first.url, network: "main", fallback, ...quickly });
  expect(await client.quest("a")).toEqual(quest);
  expect(second.paths).toEqual(["/api/quest/address/a"]);
});

test("an undefined prefix counts as absent", async () => {
  await using first = await serve(cut);
  await using second = await serve(json(quest));
  const fallback = { baseUrl: second.url, prefix: undefined };
  using client = createPointsClient({ baseUrl: first.url, network: "main", fallback, ...quickly });
  await client.quest("a");
  expect(second.paths).toEqual(["/points/quest/address/a"]);
});

test("prices have their own URL", async () => {
  await using first = await serve(cut);
  await using second = await serve(json({ data: {}, lastUpdateTimestamp: 1 }));
  const fallback = { baseUrl: "http://127.0.0.1:9", priceUrl: second.url };
  using client = createPointsClient({ baseUrl: first.url, network: "main", fallback, ...quickly });
  expect(await client.prices()).toEqual({ data: {}, lastUpdateTimestamp: 1 });
  expect(second.paths).toEqual(["/price/main"]);
});

test("while the first service answers, even with a refusal, the second is not asked", async () => {
  let answer = json(quest);
  await using first = await serve((response, received) => answer(response, received));
  await using second = await serve(json(quest));
  const fallback = { baseUrl: second.url };
  using client = createPointsClient({ baseUrl: first.url, network: "main", fallback, ...quickly });
  await client.quest("a");
  answer = problem(400, "no");
  await expect(client.quest("a")).rejects.toBeInstanceOf(ApiError);
  answer = problem(410, "gone");
  await expect(client.leaderboard("lp", { snapshot: "s" })).rejects.toBeInstanceOf(
    SnapshotGoneError,
  );
  expect(second.received).toEqual([]);
});

test("if both fail, both errors are reported", async () => {
  await using first = await serve(cut);
  await using second = await serve(problem(502, "bad gateway"));
  const fallback = { baseUrl: second.url };
  using client = createPointsClient({ baseUrl: first.url, network: "main", fallback, ...quickly });
  const error = await client.quest("a").catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(FallbackError);
  expect(error).toMatchObject({
    errors: [expect.any(ConnectionError), expect.any(ApiError)],
    message: expect.stringMatching(/both services failed.*502/),
  });
});

test("a refusal by the second service is the answer", async () => {
  await using first = await serve(cut);
  await using second = await serve(problem(404, "nothing here"));
  const fallback = { baseUrl: second.url };
  using client = createPointsClient({ baseUrl: first.url, network: "main", fallback, ...quickly });
  await expect(client.quest("a")).rejects.toMatchObject({ status: 404 });
});

test("an abort while the first is asked does not ask the second", async () => {
  await using first = await serve(() => stop.abort(new Error("enough")));
  await using second = await serve(json(quest));
  const stop = new AbortController();
  const fallback = { baseUrl: second.url };
  using client = createPointsClient({ baseUrl: first.url, network: "main", fallback, ...quickly });
  await expect(client.quest("a", { signal: stop.signal })).rejects.toThrow("enough");
  expect(second.received).toEqual([]);
});
