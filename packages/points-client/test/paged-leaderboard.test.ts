import { createPointsClient, PagedLeaderboard } from "@proj/points-client";
import { waitFor } from "@proj/test-kit";
import { expect, test } from "vitest";
import { json, serve } from "./serve.ts";

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
