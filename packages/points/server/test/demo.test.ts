import { demoEvents, demoProgram } from "@proj/points-server";
import { expect, test } from "vitest";
import { serveStore } from "./http/served-store.ts";

test("the made-up data fill every ranking, and an address has completed the quest", async () => {
  const now = Math.floor(Date.now() / 1_000);
  await using served = await serveStore(demoEvents(now), { program: demoProgram(now) });
  const { totalItems } = (await served.store.readSnapshot()) ?? {};
  expect(totalItems?.total).toBeGreaterThan(90);
  expect(totalItems?.lp).toBeGreaterThan(20);
  expect(totalItems?.swaps).toBeGreaterThan(80);
  const { body } = await served.store.readPage({
    ...{ ranking: "total", address: null, offset: 0, size: 1 },
  });
  const [first] = JSON.parse(body.toString()).leaderboard;
  expect(await served.store.readQuest(first.address)).toMatchObject({ completed: true });
  expect(Object.keys(await served.store.readPriceFeeds()).sort()).toEqual([
    ...["LUNAR", "SOLAR", "USDX"],
  ]);
});

test("the made-up data are the same each time", () => {
  expect(demoEvents(1_700_000_000)).toEqual(demoEvents(1_700_000_000));
});
