import { CandleLimitError, InvalidRequestError, RefusalError } from "@proj/trading-client";
import {
  formatWireTime,
  type TimeFrame,
  timeFrameIds,
  timeFrames,
} from "@proj/trading-client/wire";
import { Temporal } from "temporal-polyfill";
import { describe, expect, test } from "vitest";
import { connect } from "../server/connect.ts";
import { executed, type Handler, refused } from "../server/recorded-answers.ts";
import { offerRecord } from "../server/records.ts";
import { TradingServer } from "../server/trading-server.ts";

const now = Temporal.Instant.from("2026-11-20T12:00:00Z");
const symbol = "EUR/USD";
const nothing = { body: { response: { executed: false, error: "" }, candles: [] } };

/** A server whose market is at `now`. */
async function startServer(): Promise<TradingServer> {
  const server = await TradingServer.start();
  const time = formatWireTime(now.epochMilliseconds);
  server.tables.Offer.set("1", offerRecord({ offerId: 1, currency: symbol, time }));
  return server;
}

/** A candle for each multiple of the frame's duration, up to the limit of a request. */
function candles(frame: TimeFrame): Handler {
  const { durationMs, maxCandles } = timeFrames[frame];
  const step = (durationMs ?? 86_400_000) / 1_000;
  return ({ fields }) => {
    const [from = 0] = (fields.get("from") ?? []).map(Number);
    const [to = 0] = (fields.get("to") ?? []).map(Number);
    const times: number[] = [];
    for (let time = Math.ceil(from / step) * step; time <= to; time += step) times.push(time);
    const rows = times.map((time) => [time, 1, 2, 3, 0, 1.1, 2.1, 3.1, 0.1, 9]);
    return executed({ candles: rows.slice(-(maxCandles ?? rows.length)) });
  };
}

test("a candle is read as open, close, high, low and an instant", async () => {
  await using server = await startServer();
  const row = [1_524_657_600, 1.1, 1.2, 1.4, 1.0, 1.11, 1.21, 1.41, 1.01, 42];
  server.answer("/candles/1/H1", () => nothing);
  server.answer("/candles/1/h1", () => executed({ candles: [row] }));
  await using client = await connect(server);
  expect(await client.candles({ symbol, period_id: "h1", num: 1 })).toEqual([
    {
      time: Temporal.Instant.from("2018-04-25T12:00:00Z"),
      ...{ bidOpen: 1.1, bidClose: 1.2, bidHigh: 1.4, bidLow: 1.0 },
      ...{ askOpen: 1.11, askClose: 1.21, askHigh: 1.41, askLow: 1.01 },
      tickQty: 42,
    },
  ]);
  expect([...(server.requestsTo("/candles/1/h1")[0]?.fields ?? [])]).toEqual([["num", ["1"]]]);
});

describe.each(timeFrameIds.filter((frame) => timeFrames[frame].maxDaysBack !== null))(
  "%s",
  (period_id) => {
    const maxDaysBack = timeFrames[period_id].maxDaysBack ?? 0;
    const earliest = now.subtract({ hours: maxDaysBack * 24 });

    test("the longest span allowed comes in pages of fewer than 10,000", async () => {
      await using server = await startServer();
      server.answer(`/candles/1/${period_id}`, candles(period_id));
      await using client = await connect(server);
      const all = await client.candles({ symbol, period_id, from: earliest });
      const step = timeFrames[period_id].durationMs ?? 0;
      const times = all.map(({ time }) => time.epochMilliseconds);
      const first = Math.ceil(earliest.epochMilliseconds / step) * step;
      const count = Math.floor((now.epochMilliseconds - first) / step) + 1;
      expect(times).toEqual(Array.from({ length: count }, (_, index) => first + index * step));
      const requests = server.requestsTo(`/candles/1/${period_id}`);
      expect(requests).toHaveLength(Math.ceil(count / 9_999));
    });

    test("a span an hour over the limit is an error, or is clipped", async () => {
      await using server = await startServer();
      server.answer(`/candles/1/${period_id}`, candles(period_id));
      await using client = await connect(server);
      const step = timeFrames[period_id].durationMs ?? 0;
      const from = earliest.subtract({ milliseconds: step + 3_600_000 });
      const to = earliest.add({ milliseconds: 2 * step });
      const failed = client.candles({ symbol, period_id, from, to });
      await expect(failed).rejects.toBeInstanceOf(CandleLimitError);
      await expect(failed).rejects.toThrow(
        `${period_id} candles go back ${maxDaysBack} days, to ${earliest}`,
      );
      await expect(failed).rejects.toMatchObject({ earliest });
      expect(server.requestsTo(`/candles/1/${period_id}`)).toEqual([]);

      const clipped = await client.candles({ symbol, period_id, from, to, clip: true });
      expect(clipped.length).toBeGreaterThanOrEqual(2);
      expect(clipped.every(({ time }) => Temporal.Instant.compare(time, earliest) >= 0)).toBe(true);
    });
  },
);

test.each(["D1", "W1", "M1"] as const)(
  "%s has no limit and takes one request",
  async (period_id) => {
    await using server = await startServer();
    server.answer(`/candles/1/${period_id}`, candles(period_id));
    await using client = await connect(server);
    const from = Temporal.Instant.from("1990-01-01T00:00:00Z");
    const all = await client.candles({ offer_id: 1, period_id, from });
    expect(all.length).toBeGreaterThan(13_000);
    expect(server.requestsTo(`/candles/1/${period_id}`)).toHaveLength(1);
    await client.candles({ offer_id: 1, period_id, num: 20_000 });
  },
);

test("no candles give an empty list; a refusal is an error", async () => {
  await using server = await startServer();
  server.answer("/candles/1/m1", () => nothing);
  await using client = await connect(server);
  expect(await client.candles({ offer_id: 1, period_id: "m1", num: 5 })).toEqual([]);
  server.answer("/candles/1/m1", () => refused(22, "There is no such instrument", "1"));
  const failed = client.candles({ offer_id: 1, period_id: "m1", num: 5 });
  await expect(failed).rejects.toBeInstanceOf(RefusalError);
});

test.each([
  [{ symbol, period_id: "m1", num: 10_001 }, /from 1 to 10000; for more use from/],
  [{ symbol, period_id: "m1", num: 0 }, /from 1 to 10000/],
  [{ symbol, period_id: "D1", num: 1.5 }, /at least 1/],
  [{ symbol: "XAU/USD", period_id: "m1", num: 1 }, /does not show XAU\/USD/],
  [{ symbol, period_id: "m1", from: now, to: now.subtract({ hours: 1 }) }, /before they begin/],
] as const)("refuses to send %j", async (query, message) => {
  await using server = await startServer();
  await using client = await connect(server);
  const failed = client.candles(query);
  await expect(failed).rejects.toBeInstanceOf(InvalidRequestError);
  await expect(failed).rejects.toThrow(message);
});
