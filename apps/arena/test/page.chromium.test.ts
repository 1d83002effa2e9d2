import type { AccountReport, ReportedTrade } from "@proj/paper-broker";
import { listen, temporaryFolder } from "@proj/test-kit";
import {
  accessibilityViolations,
  isLeftOutWithoutChromium,
  watchBrowser,
} from "@proj/test-kit/chromium";
import { describe, expect, test } from "vitest";
import { createPageServer } from "../src/page/serve-page.ts";
import { ArenaFiles, keptArenas, openKeptArena } from "../src/watching/arena-files.ts";
import type { ArenaOverview, MatchStory, TraderStory } from "../src/watching/watched.ts";

const markup = `<img src="x" onerror="document.title = 'run'"><script>document.title = 'run'</script>`;
const job_id = "arena-1795502343784-a1a6a86e";
const begin = Date.parse("2026-01-12T08:00:00Z");
const isoTime = (minutes: number): string => new Date(begin + minutes * 60_000).toISOString();

const overview: ArenaOverview = {
  ...{ job_id, started: begin, seed: 1, rounds: 2, step_minutes: 15, model: markup, pages: null },
  traders: ["trend", "coin", markup].map((name) => ({ name, style: `The style of ${name}` })),
  matches: [1, 2].map((match) => ({ job_id: `${job_id}-${match}`, round: 2, is_over: true })),
  standings: ["coin", "trend", markup].map((trader, index) => ({
    ...{
      rank: index + 1,
      trader,
      reward: index === 2 ? null : 0.5 - index,
      return: 0.01 - index / 100,
    },
    ...{ max_drawdown: 0.005, equity: 50_500 - index * 500, trades: 2, steps: 9 },
  })),
};

const story = (match: number): MatchStory => ({
  traders: overview.traders.map(({ name }, index): TraderStory => {
    const equity = 50_000 + match * 100 - index * 50;
    const summary = {
      equity,
      return: (equity - 50_000) / 50_000,
      max_drawdown_share: 0.004,
      trades: 1,
    };
    const trade = {
      ...{ trade_id: "1", symbol: index === 2 ? markup : "EUR/USD", side: "buy", amount: 20 },
      ...{
        close_time: isoTime(16),
        open: 1.08,
        close: 1.081,
        pips: 10,
        net_profit: 20 - index * 30,
      },
    };
    return {
      ...{ name, error: index === 2 ? markup : null, reward: 0.25, left_out: 0 },
      account: {
        summary: summary as AccountReport,
        equity: [0, 15, 30].map((at) => ({
          time: isoTime(at),
          equity: at === 0 ? 50_000 : equity,
        })),
        trades: [trade as ReportedTrade],
      },
      moves: [
        {
          round: 0,
          text: "",
          calls: [{ name: "next_round", arguments: "{}", result: '{"round":1}' }],
        },
        {
          ...{ round: 1, text: `Match ${match}: ${name} buys, because ${markup}` },
          calls: [{ name: "open_trade", arguments: `{"symbol":"${markup}"}`, result: markup }],
        },
      ],
    };
  }),
});

describe.skipIf(isLeftOutWithoutChromium("the arena's own page in a browser"))(
  "the arena's page in Chromium",
  () => {
    test("an arena that has ended: curves, figures, trades and reasoning, with names; markup is text", async () => {
      await using folder = await temporaryFolder();
      const files = new ArenaFiles(folder.path, job_id);
      await files.writeOverview(overview);
      await files.writeStory(1, story(1));
      await files.writeStory(2, story(2));
      expect(await keptArenas(folder.path)).toEqual([job_id]);
      const arena = await openKeptArena(folder.path, job_id);
      await using server = await listen(createPageServer(arena));
      await using browser = await watchBrowser(`${server.url}/`);
      for (const colorScheme of ["light", "dark"] as const) {
        const page = await browser.open("", { colorScheme, bypassCSP: true });
        await page.getByRole("status").getByText("The arena is over.").waitFor();
        await page.locator('.canvas[data-curves="3"] canvas').first().waitFor();
        const cells = (name: string) =>
          page
            .getByRole("region", { name, exact: true })
            .last()
            .locator("tbody tr")
            .first()
            .locator("td")
            .allTextContents();
        expect(await cells("Ranking")).toEqual([
          "1",
          "coin",
          "0.500",
          "+1.000 %",
          "0.500 %",
          "50,500.00",
          "2",
          "9",
        ]);
        // The best of the newest match is shown first.
        expect(await cells("Traders")).toEqual([
          "trend",
          "+0.400 %",
          "0.400 %",
          "50,200.00",
          "1",
          "0.250",
          "in",
        ]);
        await page.getByRole("heading", { name: "trend" }).waitFor();
        expect((await cells("Trades")).slice(1)).toEqual([
          "EUR/USD",
          "buy",
          "20",
          "1.08",
          "1.081",
          "+10.00",
          "+20.00",
        ]);
        await page.getByText("Match 2: trend buys, because <img").waitFor();

        await page.getByLabel("Match").selectOption("1");
        await page.getByText("Match 1: trend buys").waitFor();
        const hostile = page.getByRole("button", { name: "onerror" });
        await hostile.focus();
        await page.keyboard.press("Enter");
        await page.getByText(`Match 1: ${markup} buys`).waitFor();
        expect(await hostile.evaluate("document.activeElement.textContent")).toBe(markup);
        await page.getByText(`Out: ${markup}`).waitFor();
        await page.getByText("Before the first round").press("Enter");
        await page.getByText('{"round":1}').waitFor();
        expect(new URLSearchParams(new URL(page.url()).hash.slice(1)).get("trader")).toBe(markup);
        for (const width of [390, 768, 1280]) {
          await page.setViewportSize({ width, height: 800 });
          expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
          expect(await accessibilityViolations(page)).toEqual([]);
        }
        expect(await page.locator("main img, main script").count()).toBe(0);
        expect(await page.title()).toBe("Arena");
      }
      expect(browser.complaints).toEqual([]);
    });

    test("it answers nobody who came by another name, and changes nothing", async () => {
      const arena = { overview: () => overview, story: async () => null };
      await using server = await listen(createPageServer(arena));
      const { port } = new URL(server.url);
      const status = async (path: string, init: RequestInit = {}) =>
        (await fetch(`http://127.0.0.1:${port}${path}`, init)).status;
      expect(await status("/api/arena")).toBe(200);
      expect(await status("/api/matches/7")).toBe(404);
      expect(await status("/api/arena", { method: "POST" })).toBe(405);
      const { request } = await import("node:http");
      const { promise, resolve } = Promise.withResolvers<number | undefined>();
      request({ port, path: "/api/arena", headers: { host: "evil.example" } }, ({ statusCode }) =>
        resolve(statusCode),
      ).end();
      expect(await promise).toBe(403);
    });
  },
);
