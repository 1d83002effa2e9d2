import { temporaryFolder } from "@proj/test-kit";
import { isLeftOutWithoutChromium, watchBrowser } from "@proj/test-kit/chromium";
import { describe, expect, test } from "vitest";
import { openArena } from "../src/open-arena.ts";

/** An arena makes a model call for every step. */
const longTest = 900_000;

describe.skipIf(isLeftOutWithoutChromium("the arena's pages in a browser"))(
  "spectators in Chromium",
  () => {
    test(
      "see every step in the console, the accounts on the broker's page, and the ranking",
      async () => {
        await using folder = await temporaryFolder();
        const arena = await openArena({ folder: folder.path, traders: 2, rounds: 2, seed: 7 });
        try {
          await using own = await watchBrowser(`${arena.pages.arena}/`);
          const all = await own.open("");
          await all.getByRole("status").getByText("Running: round 1 of 2").waitFor();
          const { standings } = await arena.run();
          const [best] = standings;
          const { pages, job_id } = arena;

          await using console = await watchBrowser(pages.console);
          const sessions = await console.open(`#/sessions?q=job:${job_id}`);
          await expect.poll(() => sessions.locator("a.entry").count()).toBe(standings.length);
          await sessions.locator("a.entry").first().click();
          await sessions.getByText("calls next_round").first().waitFor();
          const counts = standings.map(({ steps }) => `${steps} calls`);
          await sessions.getByText(new RegExp(`^(${counts.join("|")})$`)).waitFor();

          await using broker = await watchBrowser(pages.broker);
          const desk = await broker.open("");
          await expect
            .poll(() => desk.locator("#account option").allTextContents())
            .toEqual(
              ["trend", "reversion"].map((trader) => `${trader} (${arena.accounts[trader]})`),
            );
          await desk.locator("#chart[data-candles] canvas").first().waitFor();

          await all.getByRole("status").getByText("The arena is over.").waitFor();
          await all.locator('.canvas[data-curves="2"] canvas').first().waitFor();
          const [first] = await all.locator("#ranking td:nth-child(2)").allTextContents();
          expect(first).toBe(best?.trader);
          await all.getByText("Round 2", { exact: true }).waitFor();
          await all.locator(".call", { hasText: "next_round" }).first().waitFor();
          await all
            .locator(".said", { hasText: /^By (trend|reversion): / })
            .first()
            .waitFor();
          const link = all.getByRole("link", { name: "Its prompts in the console" });
          const href = (await link.getAttribute("href")) ?? "";
          const prompts = await console.open(href.slice(pages.console.length));
          await expect.poll(() => prompts.locator("a.entry").count()).toBe(1);

          await using points = await watchBrowser(`${pages.points}/`);
          const ranking = await points.open("");
          await ranking
            .getByText(best?.trader ?? "nobody")
            .first()
            .waitFor();

          expect([console, broker, own, points].flatMap(({ complaints }) => complaints)).toEqual(
            [],
          );
        } finally {
          await arena.close();
        }
      },
      longTest,
    );
  },
);
