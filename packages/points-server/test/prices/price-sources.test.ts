import { createServer } from "node:http";
import { hermesSource, jupiterSource, startPrices } from "@proj/points-server";
import { listen, waitFor } from "@proj/test-kit";
import { expect, test } from "vitest";
import { serveStore } from "../http/served-store.ts";

const seconds = (): number => Math.floor(Date.now() / 1_000);
const feeds = { SOL: `0x${"ab".repeat(32)}`, ETH: "cd".repeat(32), WIDE: "ef".repeat(32) };
const mints = { SOL: "mint-sol", ETH: "mint-eth", WIDE: "mint-wide", BONK: "mint-bonk" };

test("prices are fetched, from the next source if one is stale, uncertain or missing", async () => {
  let isGone = false;
  const asked: string[] = [];
  const update = (id: string, price: string, conf: string, expo: number, age: number) => ({
    ...{ id: id.replace(/^0x/, ""), price: { price, conf, expo, publish_time: seconds() - age } },
  });
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://x");
    asked.push(`${url.pathname} ${url.searchParams.getAll("ids[]").length}`);
    const isHermes = url.pathname === "/v2/updates/price/latest";
    if (isHermes && isGone) return void response.writeHead(503).end();
    const parsed = [
      update(feeds.SOL, "15234000000", "1000000", -8, 1),
      update(feeds.ETH, "300000000000", "1000000", -8, 3_600),
      update(feeds.WIDE, "100", "50", 1, 1),
    ];
    const prices = Object.fromEntries(
      (url.searchParams.get("ids") ?? "").split(",").map((mint) => [mint, { usdPrice: 2.5 }]),
    );
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(isHermes ? { parsed } : { ...prices, "mint-bonk": null }));
  });
  const listening = await listen(server);
  await using served = await serveStore();
  const rounds: Record<string, string>[] = [];
  const errors: string[] = [];
  const schedule = startPrices(served.store, {
    sources: [
      hermesSource({ base_url: listening.url, tokens: feeds }),
      jupiterSource({ base_url: listening.url, tokens: mints }),
    ],
    interval_s: 0.02,
    onPrices: (taken) => void rounds.push(Object.fromEntries(taken)),
    onError: (error, source) => void errors.push(`${source}: ${error}`),
  });
  try {
    await waitFor(() => rounds.length > 1, "two rounds");
    expect(rounds[0]).toEqual({ SOL: "hermes", ETH: "jupiter", WIDE: "jupiter" });
    expect(asked[0]).toBe("/v2/updates/price/latest 3");
    const { data } = await served.store.readPrices();
    expect(data).toEqual({ SOL: { price: 152.34 }, ETH: { price: 2.5 }, WIDE: { price: 2.5 } });
    isGone = true;
    const before = rounds.length;
    await waitFor(() => rounds.length > before + 1, "another round");
    expect(rounds.at(-1)).toEqual({ SOL: "jupiter", ETH: "jupiter", WIDE: "jupiter" });
    expect(errors[0]).toMatch(/^hermes: ApiError: .*503/);
  } finally {
    await schedule.stop();
    await listening.close();
  }
  const stopped = rounds.length;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(rounds).toHaveLength(stopped);
});
