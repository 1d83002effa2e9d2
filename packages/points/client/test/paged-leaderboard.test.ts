import { createPointsClient, PagedLeaderboard } from "@proj/points-client";
import { waitFor } from "@proj/test-kit";
import { expect, test } from "vitest";
import { type Answer, json, problem, serve } from "./serve.ts";

test("a check for a newer snapshot that a refresh overtakes announces nothing", async () => {
  let newest = "1";
  let looks = 0;
  const late = Promise.withResolvers<void>();
  await using service = await serve(async (response, received) => {
    const { searchParams } = new URL(received.path, "http://x");
    const snapshot = searchParams.get("snapshot") ?? newest;
    const isLook = searchParams.get("size") === "0";
    if (isLook) looks += 1;
    if (isLook && newest === "2" && looks === heldLook) await late.promise;
    const record = { address: "a", rank: 26, points: "1", last24hPoints: "0" };
    const leaderboard = isLook ? [] : [{ ...record, lpPoints: "0", swapPoints: "0" }];
    json({ user: null, leaderboard, totalItems: 60 }, { "x-snapshot": snapshot })(
      response,
      received,
    );
  });
  let heldLook = Number.POSITIVE_INFINITY;
  const client = createPointsClient({ baseUrl: service.url, network: "main" });
  using pages = new PagedLeaderboard(client, "total", { refreshMs: 1 });
  await waitFor(() => pages.state.page !== null, "the first page");
  await pages.goTo(25);
  heldLook = looks + 2;
  newest = "2";
  await waitFor(() => looks === heldLook, "a look that is held");
  await pages.refresh();
  expect(pages.state).toMatchObject({ page: { snapshot: "2" }, offset: 25, isOutdated: false });
  late.resolve();
  await waitFor(() => looks > heldLook + 1, "the looks after it");
  expect(pages.state.isOutdated).toBe(false);
  client.close();
});

/** A season's ranking of 60 records at snapshot `newest()`, of which only that one is kept. */
const season =
  (newest: () => string): Answer =>
  (response, received) => {
    const { searchParams } = new URL(received.path, "http://x");
    const snapshot = searchParams.get("snapshot") ?? newest();
    if (searchParams.get("season") !== "summer") problem(400, "no season")(response, received);
    else if (snapshot !== newest()) problem(410, "gone")(response, received);
    else {
      const offset = Number(searchParams.get("offset"));
      const record = { address: "a", rank: offset + 1, points: "1", last24hPoints: "0" };
      const leaderboard = [{ ...record, positions: 1 }];
      const body = { user: null, leaderboard, totalItems: 60 };
      json(body, { "x-snapshot": snapshot })(response, received);
    }
  };

test("a page of a snapshot that is gone is shown from the newest one", async () => {
  let newest = "1";
  await using service = await serve(season(() => newest));
  using client = createPointsClient({ baseUrl: service.url, network: "main", retry: false });
  const options = { season: "summer", size: 1, refreshMs: 600_000 };
  using pages = new PagedLeaderboard(client, "lp", options);
  await waitFor(() => pages.state.page !== null, "the first page");
  newest = "2";
  await pages.goTo(7);
  expect(pages.state).toMatchObject({
    ...{ offset: 7, error: null, isLoading: false, isOutdated: false },
    page: { snapshot: "2", leaderboard: [{ rank: 8 }] },
  });
  expect(service.paths.slice(-2)).toEqual([
    "/api/main/lp/null?offset=7&size=1&snapshot=1&season=summer",
    "/api/main/lp/null?offset=7&size=1&season=summer",
  ]);
});

test("a failed page keeps the previous one, and its error is the reader's to see", async () => {
  let isBroken = false;
  await using service = await serve((response, received) => {
    if (isBroken) problem(503, "later")(response, received);
    else season(() => "1")(response, received);
  });
  using client = createPointsClient({ baseUrl: service.url, network: "main", retry: false });
  using pages = new PagedLeaderboard(client, "lp", { season: "summer", refreshMs: 600_000 });
  await waitFor(() => pages.state.page !== null, "the first page");
  isBroken = true;
  await pages.next();
  expect(pages.state).toMatchObject({ offset: 0, page: { leaderboard: [{ rank: 1 }] } });
  expect(pages.state.error).toMatchObject({ status: 503 });
  isBroken = false;
  await pages.next();
  expect(pages.state).toMatchObject({ offset: 1, error: null });
});
