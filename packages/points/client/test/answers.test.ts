import { ApiError, createPointsClient, InvalidAnswerError } from "@proj/points-client";
import { expect, test } from "vitest";
import { cut, json, problem, quickly, serve } from "./serve.ts";

const record = { address: "a", points: "1", last24hPoints: "1", rank: 1, positions: 1 };
const page = (change: object) => ({
  ...{ user: null, leaderboard: [record, { ...record, ...change }], totalItems: 2 },
});

test.each([
  [page({ points: 5 }), /leaderboard\[1\]\.points is not a string: 5/],
  [page({ points: "0f" }), /leaderboard\[1\]\.points: '0f' is not a decimal integer.*'numbers'/],
  [page({ rank: "1" }), /leaderboard\[1\]\.rank is not a number: "1"/],
  [page({ rank: 1.5 }), /leaderboard\[1\]\.rank is not a whole number/],
  [page({ positions: undefined }), /leaderboard\[1\]\.positions is not a number: missing/],
  [{ ...page({}), leaderboard: {} }, /leaderboard is not a list/],
  [{ ...page({}), user: "a" }, /user is not an object/],
  [[], /the answer is not an object/],
  ["hello", /the answer is not an object/],
  [null, /the answer is not an object/],
])("%j is an invalid answer, and the error says where", async (body, message) => {
  await using service = await serve(json(body));
  using client = createPointsClient({ baseUrl: service.url, network: "main" });
  const error = await client.leaderboard("lp").catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(InvalidAnswerError);
  expect(error).toMatchObject({ message: expect.stringMatching(message), isRetryable: false });
  expect(service.received).toHaveLength(1);
});

test("hexadecimal numbers are read if the option says so", async () => {
  const user = { ...record, points: "64", last24hPoints: "0de0b6b3a7640000" };
  await using service = await serve(json({ user, leaderboard: [], totalItems: 1 }));
  using client = createPointsClient({ baseUrl: service.url, network: "main", numbers: "hex" });
  const answer = await client.leaderboard("lp", { address: "a" });
  expect(answer.user?.points).toBe("64");
  expect(client.integer(answer.user?.points ?? "")).toBe(100n);
  expect(client.scaled(answer.user?.last24hPoints ?? "", 18)).toBe("1");
});

test("prices in feeds are decimal even if numeric strings are hexadecimal", async () => {
  const x = { pricePublishTime: 5, priceDecimals: 2, price: "123" };
  await using service = await serve(json({ x }));
  using client = createPointsClient({ baseUrl: service.url, network: "main", numbers: "hex" });
  expect(await client.priceFeeds()).toEqual({ x });
});

test("a refusal has its problem document's detail, and is not retried", async () => {
  await using service = await serve(problem(400, "'other' is not the network here."));
  using client = createPointsClient({ baseUrl: service.url, network: "other", ...quickly });
  const error = await client.leaderboard("total").catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 400, detail: "'other' is not the network here." });
  expect(service.received).toHaveLength(1);
});

test("reads are retried when that may help", async () => {
  const answers = [cut, problem(503, "busy"), json({ totalPoints: "1", completed: true })];
  await using service = await serve((response, received) => answers.shift()?.(response, received));
  const retry = { retries: 2, minDelayMs: 1, maxDelayMs: 1 };
  using client = createPointsClient({ baseUrl: service.url, network: "main", retry });
  expect(await client.quest("a")).toEqual({ totalPoints: "1", completed: true });
});

test("an abort rejects with its reason, and closing aborts pending calls", async () => {
  await using service = await serve(() => undefined);
  using client = createPointsClient({ baseUrl: service.url, network: "main" });
  const stop = new AbortController();
  const stopped = client.config({ signal: stop.signal });
  stop.abort(new Error("enough"));
  await expect(stopped).rejects.toThrow("enough");
  const asked = client.config();
  client.close();
  await expect(asked).rejects.toThrow(/closed/);
});

test("errors contain no credentials of the URL", async () => {
  await using service = await serve(json([]));
  const baseUrl = service.url.replace("//", "//someone:secret@");
  using client = createPointsClient({ baseUrl, network: "main" });
  await expect(client.config()).rejects.not.toThrow(/secret/);
});
