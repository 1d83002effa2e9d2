import { goTo, networkChanged } from "@proj/test-kit/chromium";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import type { CommandRequests } from "../../src/engine/command.ts";
import type { PaperBroker, PaperBrokerConfig } from "../../src/index.ts";
import { accountId, advance, serveBroker, token } from "../server/served-broker.ts";

export interface OpenedPage extends AsyncDisposable {
  readonly page: Page;
  readonly broker: PaperBroker;
}

/** A market order without its amount. */
export const order: Omit<CommandRequests["open_trade"], "amount"> = {
  ...{ account_id: accountId, symbol: "EUR/USD", is_buy: true },
  ...{ order_type: "AtMarket", time_in_force: "GTC" },
};

/** A broker's page in a browser, which fails the test if it has thrown an error by the time it is disposed of. */
export async function openPage(
  browser: Browser,
  hash = `#token=${token}`,
  config: Partial<PaperBrokerConfig> = {},
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const broker = await serveBroker(config);
  if (config.accounts === undefined) advance(broker, 3_600_000);
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  page.on("requestfailed", (request) => {
    const why = request.failure()?.errorText;
    if (request.resourceType() === "script" && why !== networkChanged)
      errors.push(`${request.url()}: ${why}`);
  });
  await goTo(page, `${broker.url}/${hash}`);
  const dispose = async (): Promise<void> => {
    await context.close();
    await broker.close();
    expect(errors).toEqual([]);
  };
  return { page, broker, [Symbol.asyncDispose]: dispose };
}

export const said = (page: Page, text: RegExp | string): Promise<void> =>
  page.getByRole("status").filter({ hasText: text }).waitFor();

export const rows = (page: Page, list: string): Locator => page.locator(`#${list} tbody tr`);

/** Waits until presses count again. */
export const rested = (page: Page): Promise<void> =>
  page.locator("html:not([data-pressed])").waitFor();
