import { once } from "node:events";
import { loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openJobReader } from "@proj/session-store";
import { temporaryFolder } from "@proj/test-kit";
import { startChromium } from "@proj/test-kit/chromium";
import { createViewServer } from "../src/index.ts";
import { categories, type Page, scroll, slowDown } from "./frames.ts";
import { measureLargeJob } from "./large-job.ts";
import { writeDatabase } from "./write-database.ts";

/**
 * Measures how fast the console opens and scrolls: `pnpm --filter @proj/console measure`.
 * `--job`: only a large job: how fast it opens, is sorted and is filtered. `--rounds N`: how often. `--steps N`, `--sessions N`, `--simulations N`: how much is stored. `--turns N`: how often the wheel is turned. `--slow N`: a
 * page that computes N times as slowly, whose bounds do not count. `--trace FILE`: what the page did while it
 * was opened and scrolled, to be opened in chrome://tracing or Perfetto.
 */
const { values } = parseArgs({
  options: {
    steps: { type: "string", default: "10000" },
    sessions: { type: "string", default: "100000" },
    simulations: { type: "string", default: "5120" },
    job: { type: "boolean", default: false },
    rounds: { type: "string", default: "7" },
    turns: { type: "string", default: "300" },
    slow: { type: "string", default: "1" },
    trace: { type: "string" },
  },
});
const sizes = {
  steps: values.job ? 0 : Number(values.steps),
  sessions: values.job ? 0 : Number(values.sessions),
  simulations: Number(values.simulations),
};
/** Of views that read every row of a job; the others have half a second. */
const boundsMs = new Map([
  ["its tools are counted", 1_500],
  ["its report opens", 1_000],
]);
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

async function measureLists(page: Page): Promise<void> {
  tell("the table of sessions opens", await opening(page, "#/sessions", "a.entry"), 1000);
  for (const query of ["?q=model:policy", "?q=error:*", "?q=session-17"])
    tell(`the table with ${query}`, await opening(page, `#/sessions${query}`, "a.entry"), 1000);
  const found = `${origin}/v1/sessions?stored=true&text=never-said`;
  const began = performance.now();
  await (await fetch(found)).text();
  tell("a search that finds nothing, one request", performance.now() - began, 1000);
}

async function measureJob(page: Page): Promise<void> {
  const open = (place: string, shown: string) => opening(page, place, shown);
  const samples = await measureLargeJob({ page, open, rounds: Number(values.rounds) });
  for (const [what, all] of samples) {
    const sorted = all.toSorted((one, other) => one - other);
    const [least, median, most] = [0, sorted.length >> 1, -1].map((at) => sorted.at(at) ?? 0);
    const spread = `${least?.toFixed(0)} to ${most?.toFixed(0)}, median of ${all.length}`;
    tell(
      `a job of ${sizes.simulations}, ${what}, ${spread}`,
      median ?? 0,
      boundsMs.get(what) ?? 500,
    );
  }
}

async function measureLongSession(page: Page): Promise<void> {
  if (values.trace !== undefined)
    await browser.startTracing(page, { path: values.trace, categories: [...categories] });
  tell("a long session opens", await opening(page, "#/sessions/long", "article .answer"), 1000);
  await page.getByText(/ so far …/).waitFor({ state: "detached" });
  const frames = await scroll(page, ".steps", Number(values.turns));
  tell("the longest frame of scrolling it", frames.longest_ms, 50);
  if (values.trace !== undefined) await browser.stopTracing();
  await page.keyboard.press("g");
  await page.locator("article", { hasText: `Step ${sizes.steps.toLocaleString("en")}` }).waitFor();
  console.log(JSON.stringify(frames));
}

try {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  page.setDefaultTimeout(600_000);
  await slowDown(page, Number(values.slow));
  await opening(page, "#/jobs", "main");
  if (!values.job) await measureLists(page);
  await measureJob(page);
  if (!values.job) await measureLongSession(page);
  console.log(`load average ${loadavg()[0]?.toFixed(2)}`);
} finally {
  await browser.close();
  server.close();
  server.closeAllConnections();
  await store.close();
}
process.exitCode = missed.length === 0 ? 0 : 1;
