import { goTo, networkChanged } from "@proj/test-kit/chromium";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";

export interface OpenedPage extends AsyncDisposable {
  readonly page: Page;
}

/**
 * A browser page that fails the test if it has shown an error by the time it is disposed of.
 * @param expected errors that the browser logs to its console, such as that of a refused request
 * @param script runs in the page before its own scripts
 */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
  expected: readonly RegExp[] = [],
  { script = "" }: { readonly script?: string } = {},
): Promise<OpenedPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  page.on("console", (line) => {
    const text = line.text();
    if (line.type() === "error" && !text.includes(networkChanged)) errors.push(text);
  });
  if (script !== "") await page.addInitScript(script);
  await goTo(page, url);
  const dispose = async (): Promise<void> => {
    await context.close();
    expect(errors.filter((error) => !expected.some((known) => known.test(error)))).toEqual([]);
  };
  return { page, [Symbol.asyncDispose]: dispose };
}

/** Waits until the ranking shows an address. */
export const rows = (page: Page, address: string): Promise<void> =>
  page.locator("#leaderboard").getByRole("link", { name: address, exact: true }).waitFor();
