import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, chromium, type Page } from "playwright-core";
import { isLeftOut } from "./left-out.ts";

/** Where Debian's package `chromium` puts it. */
const executablePath = "/usr/bin/chromium";

/** Without a sandbox, as root has none, and without calls to the outside. */
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

/** Whether a suite of pages has to be left out, which is said. @param suite such as `the page of points-server` */
export function isLeftOutWithoutChromium(suite: string): boolean {
  return isLeftOut(suite, existsSync(executablePath), "on Debian: apt-get install chromium");
}

/** A browser with a fresh profile, which goes with it. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({ executablePath, args });
}

const require = createRequire(import.meta.url);

interface AxeResults {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly unknown[] }[];
}

/** The rules of accessibility that a page breaks, by axe-core, with how often each. */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(require.resolve("axe-core/axe.min.js"), "utf8"));
  const { violations } = await page.evaluate<AxeResults>("axe.run()");
  return violations.map(({ id, nodes }) => `${id} (${nodes.length})`);
}
