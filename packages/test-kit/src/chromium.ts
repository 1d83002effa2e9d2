import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
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
