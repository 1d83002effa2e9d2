import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { createPointsClient } from "@proj/points-client";
import { openJobReader } from "@proj/session-store";
import { listen, temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";
import type { ArenaEvent } from "../src/arena-event.ts";
import { openArena } from "../src/open-arena.ts";

/** An arena makes several hundred model calls. */
const longTest = 900_000;

async function playOne(seed: number, folder: string) {
  const events: ArenaEvent[] = [];
  const tell = (event: ArenaEvent): unknown => events.push(event);
  const arena = await openArena({ folder, traders: 3, rounds: 4, seed, tell });
  try {
    const result = await arena.run();
    const points = createPointsClient({ baseUrl: arena.pages.points, network: "arena" });
    const { leaderboard } = await points.leaderboard("total");
    points.close();
    const page = async (address: string): Promise<string> => (await fetch(address)).text();
    const { console: console_, broker, points: ranking } = arena.pages;
    const pages = await Promise.all([console_, broker, ranking].map(page));
    return { ...result, arena, events, leaderboard, pages };
  } finally {
    await arena.close();
  }
}

/** A model that calls next_round and never answers again. */
async function answerOnce(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { messages } = JSON.parse(await text(request));
  if (messages.length > 2) return;
  const call = { name: "next_round", arguments: "{}" };
  const tool_calls = [{ id: "call-1", type: "function", function: call }];
  const message = { role: "assistant", content: null, tool_calls };
  const choices = [{ index: 0, finish_reason: "tool_calls", message }];
  response.setHeader("content-type", "application/json");
  const answer = { id: "1", object: "chat.completion", created: 0, model: "silent", choices };
  response.end(JSON.stringify(answer));
}

test(
  "the same seed gives the same standings; every step is recorded and rewarded",
  async () => {
    await using folder = await temporaryFolder();
    const first = await playOne(7, folder.path);
    const { standings, arena, events, league, leaderboard, pages } = first;
    expect(standings.map(({ rank }) => rank)).toEqual([1, 2, 3]);
    expect(standings.map(({ trader }) => trader).sort()).toEqual([
      "breakout",
      "reversion",
      "trend",
    ]);
    const rewards = standings.map(({ reward }) => reward ?? Number.NaN);
    // Who never trades comes last, with no points.
    const idle = standings.filter(({ trades, return: gain }) => trades === 0 && gain === 0).length;
    const traded = rewards.slice(0, rewards.length - idle);
    expect(traded).toEqual([...traded].sort((a, b) => b - a));
    expect(new Set(standings.map(({ equity }) => equity)).size).toBeGreaterThan(1);
    expect(events.map(({ event }) => event)).toEqual(Array(4).fill("round_over"));

    // The points server ranks them in the same order, and spectators can watch.
    expect(league).toEqual(standings.map(({ trader }) => trader));
    expect(leaderboard.map(({ points }) => Number(points) / 1e9)).toEqual(
      rewards.map((reward, index) => expect.closeTo(index < traded.length ? 1 + reward / 2 : 0, 5)),
    );
    expect(pages[0]).toContain("<title>Console</title>");
    for (const page of pages) expect(page).toMatch(/^<!doctype html>/i);

    // What the launcher committed and the gateway recorded.
    const { db_url } = arena;
    const store = await openJobReader({ storage_type: "sqlite", storage_config: { db_url } });
    const { environments } = await store.readEnvironments({ job_id: arena.job_id });
    expect(
      environments
        .map(({ simulation_id, reward, status }) => [simulation_id, reward, status])
        .sort(),
    ).toEqual(standings.map(({ trader, reward }) => [trader, reward, "finished"]).sort());
    const recorded = await Promise.all(
      environments.map(async ({ simulation_id, session_id }) => {
        const { steps } = await store.readSteps({ session_id, limit: 1000 });
        return [simulation_id, steps.length] as const;
      }),
    );
    const answered = standings.map(({ trader, steps }) => [trader, steps] as const);
    expect(new Map(recorded)).toEqual(new Map(answered));
    await store.close();

    await using another = await temporaryFolder();
    const second = await playOne(7, another.path);
    expect(second.standings).toEqual(standings);
    expect(second.events).toEqual(events);
    const third = await playOne(8, another.path);
    expect(third.standings).not.toEqual(standings);
    // The points server continues the folder's ranking.
    expect(third.league).toHaveLength(3);
  },
  longTest,
);

test(
  "a trader whose model fails ranks last, and the others play to the end",
  async () => {
    await using folder = await temporaryFolder();
    const failures: ArenaEvent[] = [];
    const arena = await openArena({
      ...{ folder: folder.path, traders: 2, rounds: 2 },
      // Nothing listens there.
      model: { base_url: "http://127.0.0.1:9/v1", name: "none" },
      tell: (event) => failures.push(event),
    });
    try {
      const { standings } = await arena.run();
      expect(standings).toMatchObject([
        { trader: "reversion", reward: null, equity: 50_000 },
        { trader: "trend", reward: null, equity: 50_000 },
      ]);
      expect(failures.map(({ event }) => event)).toEqual(["trader_failed", "trader_failed"]);
    } finally {
      await arena.close();
    }
  },
  longTest,
);

test(
  "a trader whose model stops answering is out, and the arena ends without waiting for it",
  async () => {
    await using folder = await temporaryFolder();
    await using silent = await listen(createServer(answerOnce));
    const events: ArenaEvent[] = [];
    const arena = await openArena({
      ...{ folder: folder.path, traders: 2, rounds: 2, turnTimeoutMs: 1000 },
      model: { base_url: `${silent.url}/v1`, name: "silent" },
      tell: (event) => events.push(event),
    });
    try {
      const { standings } = await arena.run();
      expect(events.map(({ event }) => event)).toEqual(["trader_late", "trader_late"]);
      expect(standings).toMatchObject([
        { reward: 0, equity: 50_000, steps: 1 },
        { reward: 0, equity: 50_000, steps: 1 },
      ]);
    } finally {
      await arena.close();
    }
  },
  longTest,
);

test(
  "an abort ends the arena cleanly",
  async () => {
    await using folder = await temporaryFolder();
    const ending = new AbortController();
    const tell = (): void => ending.abort(new Error("enough"));
    const arena = await openArena({ folder: folder.path, traders: 2, rounds: 50, tell });
    await expect(arena.run(ending.signal)).rejects.toThrow("enough");
    await arena.close();
  },
  longTest,
);
