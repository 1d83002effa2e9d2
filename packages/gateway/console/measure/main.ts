import { once } from "node:events";
import { loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openJobReader } from "@proj/session-store";
import { temporaryFolder } from "@proj/test-kit";
import { startChromium } from "@proj/test-kit/chromium";
import { createViewServer } from "../src/index.ts";
import { categories, type Page, scroll, slowDown } from "./frames.ts";
import { writeDatabase } from "./write-database.ts";

/**
 * Measures how fast the console opens and scrolls: `pnpm --filter @proj/console measure`.
 * `--steps N`, `--sessions N`, `--simulations N`: how much is stored. `--turns N`: how often the wheel is turned. `--slow N`: a
 * page that computes N times as slowly, whose bounds do not count. `--trace FILE`: what the page did while it
 * was opened and scrolled, to be opened in chrome://tracing or Perfetto.
 */
const { values } = parseArgs({
  options: {
    steps: { type: "string", default: "10000" },
    sessions: { type: "string", default: "100000" },
    simulations: { type: "string", default: "5120" },
    turns: { type: "string", default: "300" },
    slow: { type: "string", default: "1" },
    trace: { type: "string" },
  },
});
const sizes = {
  steps: Number(values.steps),
  sessions: Number(values.sessions),
  simulations: Number(values.simulations),
};
const turns = Number(values.turns);
const missed: string[] = [];
const tell = (what: string, ms: number, boundMs: number): void => {
  const isMissed = ms > boundMs;
  if (isMissed) missed.push(what);
  console.log(`${isMissed ? "MISS" : "ok  "}  ${what}: ${ms.toFixed(0)} ms (<= ${boundMs})`);
};

await using folder = await temporaryFolder();
const db_url = `sqlite://${join(folder.path, "measured.db")}`;
console.log(`load average ${loadavg()[0]?.toFixed(2)}; writing ${JSON.stringify(sizes)} …`);
await writeDatabase(db_url, sizes);
const storage_config = { db_url, create: false };
const store = await openJobReader({ storage_type: "sqlite", storage_config });
const server = createViewServer(store).listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
const browser = await startChromium();

/** The time from entering the address until this is shown; the scripts are in the browser's cache. */
async function opening(page: Page, place: string, shown: string): Promise<number> {
  await page.goto("about:blank");
  const began = performance.now();
  await page.goto(`${origin}/console${place}`);
  await page.locator(shown).first().waitFor();
  return performance.now() - began;
}

try {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  page.setDefaultTimeout(600_000);
  await slowDown(page, Number(values.slow));
  await opening(page, "#/jobs", "main");
  tell("the table of sessions opens", await opening(page, "#/sessions", "a.entry"), 1000);
  for (const query of ["?q=model:policy", "?q=error:*", "?q=session-17"])
    tell(`the table with ${query}`, await opening(page, `#/sessions${query}`, "a.entry"), 1000);
  const found = `${origin}/v1/sessions?stored=true&text=never-said`;
  const began = performance.now();
  await (await fetch(found)).text();
  tell("a search that finds nothing, one request", performance.now() - began, 1000);
  const large = "#/jobs/large";
  tell("a large job opens", await opening(page, large, "a.cell"), 500);
  tell(
    "the table of a large job opens",
    await opening(page, `${large}?show=table`, "tbody td"),
    500,
  );
  const changing = async (change: () => Promise<void>, shown: string): Promise<number> => {
    const began = performance.now();
    await change();
    await page.locator(shown).first().waitFor();
    return performance.now() - began;
  };
  const reward = page.getByRole("button", { name: "reward", exact: true });
  for (const order of ["ascending", "descending"])
    tell(
      `it is sorted, ${order}`,
      await changing(() => reward.click(), `th[aria-sort=${order}]`),
      500,
    );
  const field = page.getByRole("searchbox");
  const filtered = await changing(
    () => field.fill("cause:crash"),
    "tbody td:text('crash'):visible",
  );
  tell("it is filtered", filtered, 500);
  if (values.trace !== undefined)
    await browser.startTracing(page, { path: values.trace, categories: [...categories] });
  tell("a long session opens", await opening(page, "#/sessions/long", "article .answer"), 1000);
  await page.getByText(/ so far …/).waitFor({ state: "detached" });
  const frames = await scroll(page, ".steps", turns);
  tell("the longest frame of scrolling it", frames.longest_ms, 50);
  if (values.trace !== undefined) await browser.stopTracing();
  await page.keyboard.press("g");
  await page.locator("article", { hasText: `Step ${sizes.steps.toLocaleString("en")}` }).waitFor();
  console.log(JSON.stringify(frames));
} finally {
  await browser.close();
  server.close();
  server.closeAllConnections();
  await store.close();
}
process.exitCode = missed.length === 0 ? 0 : 1;
