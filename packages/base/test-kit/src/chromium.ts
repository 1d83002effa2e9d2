import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, chromium, type Page, type Request } from "playwright-core";
import { isLeftOut } from "./left-out.ts";

/** Where Debian's package `chromium` installs it. */
const executablePath = "/usr/bin/chromium";

/** No sandbox, because root cannot have one, and no calls to the outside. */
const args = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Whether a suite of pages has to be left out; if so, prints it. @param suite such as `the page of points-server` */
export function isLeftOutWithoutChromium(suite: string): boolean {
  return isLeftOut(suite, existsSync(executablePath), "on Debian: apt-get install chromium");
}

/** A browser with a fresh profile, which is deleted with it. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({ executablePath, args });
}

const require = createRequire(import.meta.url);

interface AxeResults {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly unknown[] }[];
}

/** The accessibility rules that a page breaks, by axe-core, each with its number of violations. */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(require.resolve("axe-core/axe.min.js"), "utf8"));
  const { violations } = await page.evaluate<AxeResults>("axe.run()");
  return violations.map(({ id, nodes }) => `${id} (${nodes.length})`);
}

/** Each of these widths at which the page scrolls sideways, with how wide it is then; and what axe finds at the last. */
export async function pageFaults(
  page: Page,
  widths: readonly number[] = [390, 768, 1280],
): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    const scrolled = await page.evaluate<number>("document.documentElement.scrollWidth");
    if (scrolled !== width) found.push([width, scrolled]);
  }
  return [...found, ...(await accessibilityViolations(page))];
}

/** Other suites make network interfaces, and Chromium then gives up every connection that is being made. */
export const networkChanged = "net::ERR_NETWORK_CHANGED";

/** Opens a page with all its files. */
export const goTo = (page: Page, url: string): Promise<void> => loaded(page, () => page.goto(url));

/** Loads a page again, with all its files. */
export const reload = (page: Page): Promise<void> => loaded(page, () => page.reload());

async function loaded(page: Page, load: () => Promise<unknown>): Promise<void> {
  for (let left = 10; ; left -= 1) {
    let isDisturbed = false;
    const onFailed = (request: Request): void => {
      isDisturbed ||= request.failure()?.errorText === networkChanged;
    };
    page.on("requestfailed", onFailed);
    try {
      await load();
      if (!isDisturbed || left === 0) return;
      // Going to the same URL with a hash would load nothing.
      load = () => page.reload();
    } catch (error) {
      if (!String(error).includes(networkChanged) || left === 0) throw error;
    } finally {
      page.off("requestfailed", onFailed);
    }
  }
}

type ContextOptions = Parameters<Browser["newContext"]>[0];

/** A browser whose complaints are collected. */
export interface WatchedBrowser extends AsyncDisposable {
  /** So far, from every page: console errors, script errors, and requests to other servers. */
  readonly complaints: readonly string[];
  /** Opens the page in a fresh profile. @param place what is appended to the page's URL */
  open(place: string, options?: ContextOptions): Promise<Page>;
}

/** Long enough for a busy machine. */
const patienceMs = 60_000;

/** @param url the page's URL */
export async function watchBrowser(url: string): Promise<WatchedBrowser> {
  const browser = await startChromium();
  const { origin } = new URL(url);
  const complaints: string[] = [];
  return {
    complaints,
    async open(place, options = {}) {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      page.setDefaultTimeout(patienceMs);
      page.on("console", (message) => {
        const text = message.text();
        if (message.type() === "error" && !text.includes(networkChanged)) complaints.push(text);
      });
      page.on("pageerror", ({ message }) => complaints.push(message));
      page.on("request", (request) => {
        const asked = request.url();
        if (!asked.startsWith(origin) && !/^(?:data|blob):/.test(asked))
          complaints.push(`asked for ${asked}`);
      });
      await goTo(page, url + place);
      return page;
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}
