import {
  accessibilityViolations,
  isLeftOutWithoutChromium,
  startChromium,
} from "@proj/test-kit/chromium";
import { forexHoursConfig } from "@proj/trading-client";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PaperBrokerConfig } from "../src/index.ts";
import { accountId, advance, serveBroker, setFaults, token } from "./server/served-broker.ts";

const isSkipped = isLeftOutWithoutChromium("the page in a browser");
const atMarket = { order_type: "AtMarket", time_in_force: "GTC" } as const;
const order = { account_id: accountId, symbol: "EUR/USD", is_buy: true, ...atMarket };

describe.skipIf(isSkipped)("the page in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  async function open(
    hash = `#token=${token}`,
    config: Partial<PaperBrokerConfig> = {},
    options: BrowserContextOptions = {},
  ) {
    const broker = await serveBroker(config);
    if (config.accounts === undefined) advance(broker, 3_600_000);
    const context = await browser.newContext(options);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const errors: string[] = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    await page.goto(`${broker.url}/${hash}`);
    const dispose = async (): Promise<void> => {
      await context.close();
      await broker.close();
      expect(errors).toEqual([]);
    };
    return { page, broker, [Symbol.asyncDispose]: dispose };
  }

  const said = (page: Page, text: RegExp | string) =>
    page.getByRole("status").filter({ hasText: text }).waitFor();
  const offer = (page: Page, symbol: string) =>
    page.locator(`#instruments [data-symbol="${symbol}"]`);
  const rows = (page: Page, list: string) => page.locator(`#${list} tbody tr`);
  /** Waits until presses count again. */
  const rested = (page: Page) => page.locator("html:not([data-pressed])").waitFor();

  test("shows live prices of instruments and the candles of the selected one", async () => {
    await using opened = await open();
    const { page, broker } = opened;
    await said(page, "connected");
    expect(await rows(page, "instruments").count()).toBe(8);
    await page.locator('#chart[data-candles="61"] canvas').first().waitFor();
    advance(broker, 5000);
    const bid = (symbol: string) => String(broker.market.price(symbol)?.Rates[0]);
    await offer(page, "USD/JPY")
      .getByText(Number(bid("USD/JPY")).toFixed(3))
      .waitFor();
    await offer(page, "GBP/USD").press("Enter");
    await page.getByRole("heading", { name: "GBP/USD" }).waitFor();
    await page.getByLabel("Candles").selectOption("m15");
    await page.locator('#chart[data-candles="5"]').waitFor();
    expect(await page.getByLabel("Account").inputValue()).toBe("1537581");
    expect(await page.locator("#figures").textContent()).toContain("10,000.00");
    expect(new URL(page.url()).hash).toBe("");
  });

  test("a hidden instrument returns to its place", async () => {
    await using opened = await open();
    const { page, broker } = opened;
    await said(page, "connected");
    broker.market.execute("update_subscriptions", { symbol: "EUR/USD", visible: false });
    await offer(page, "EUR/USD").waitFor({ state: "detached" });
    broker.market.execute("update_subscriptions", { symbol: "EUR/USD", visible: true });
    await offer(page, "EUR/USD").waitFor();
    expect(await rows(page, "instruments").first().getAttribute("data-symbol")).toBe("EUR/USD");
  });

  test("Enter in a field does not trade; a double click or a held key trades once", async () => {
    await using opened = await open();
    const { page, broker } = opened;
    await said(page, "connected");
    const orders = () => broker.market.snapshot("OpenPosition").length;
    for (const name of ["Amount", "Stop", "Limit"]) await page.getByLabel(name).press("Enter");
    await page.getByRole("button", { name: /^Buy/ }).dblclick();
    await rows(page, "positions").first().waitFor();
    await rested(page);
    expect(orders()).toBe(1);
    await page.getByRole("button", { name: /^Buy/ }).focus();
    for (let pressed = 0; pressed < 5; pressed += 1) await page.keyboard.down("Enter");
    await page.keyboard.up("Enter");
    await rested(page);
    await page.keyboard.down("Enter");
    await page.keyboard.up("Enter");
    await rows(page, "positions").nth(2).waitFor();
    expect(orders()).toBe(3);
  });

  test("a double click on Close closes one trade, even though the next moves under the pointer", async () => {
    await using opened = await open();
    const { page, broker } = opened;
    for (let trade = 0; trade < 3; trade += 1)
      broker.market.execute("open_trade", { ...order, amount: 1 });
    await rows(page, "positions").nth(2).waitFor();
    const first = page.getByRole("button", { name: /Close trade/ }).first();
    await first.dblclick();
    await rows(page, "positions").nth(2).waitFor({ state: "detached" });
    await rested(page);
    expect(broker.market.snapshot("OpenPosition")).toHaveLength(2);
  });

  test("a user places a market order and closes its position, which is listed as closed", async () => {
    await using opened = await open();
    const { page, broker } = opened;
    await said(page, "connected");
    await page.getByLabel("Amount").fill("7");
    await page.getByLabel("Stop").fill("50");
    await page.getByLabel("Trailing").selectOption("dynamic");
    const [, ask = 0] = broker.market.price("EUR/USD")?.Rates ?? [];
    await page.getByRole("button", { name: `Buy ${ask.toFixed(5)}` }).click();
    await said(page, /Order \d+/);
    const position = rows(page, "positions");
    await position.waitFor();
    expect(broker.market.snapshot("OpenPosition")).toMatchObject([
      { isBuy: true, amountK: 7, currency: "EUR/USD", stopMove: 1, stop: expect.any(Number) },
    ]);
    await rows(page, "orders").getByText("Trailing stop").waitFor();
    await rested(page);
    await position.getByRole("button", { name: /Close trade/ }).click();
    await position.waitFor({ state: "detached" });
    expect(broker.market.snapshot("ClosedPosition")).toHaveLength(1);
    await rows(page, "closed").getByText("EUR/USD").waitFor();
  });

  test("a user sets and moves stop, limit and trailing step, and closes a part", async () => {
    await using opened = await open();
    const { page, broker } = opened;
    broker.market.execute("open_trade", { ...order, amount: 9 });
    await rows(page, "positions").getByRole("button", { name: /Edit/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Stop (rate)").fill("1.02");
    await dialog.getByLabel("Limit (rate)").fill("1.2");
    await dialog.getByLabel("Trailing step").fill("10");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "hidden" });
    expect(broker.market.snapshot("OpenPosition")).toMatchObject([
      { stop: 1.02, limit: 1.2, stopMove: 10 },
    ]);
    await rows(page, "positions").getByRole("button", { name: /Edit/ }).click();
    await dialog.getByLabel("Stop (rate)").fill("1.9");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("status").filter({ hasText: "wrong side" }).waitFor();
    await dialog.getByLabel("Stop (rate)").fill("");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "hidden" });
    expect(broker.market.snapshot("OpenPosition")).toMatchObject([{ stop: 0, limit: 1.2 }]);
    await rows(page, "positions").getByRole("button", { name: /Edit/ }).click();
    await dialog.getByLabel("Amount").fill("4");
    await dialog.getByLabel("Amount").press("Enter");
    expect(broker.market.snapshot("OpenPosition")).toMatchObject([{ amountK: 9 }]);
    await dialog.getByRole("button", { name: "Close this amount" }).click();
    await dialog.waitFor({ state: "hidden" });
    expect(broker.market.snapshot("OpenPosition")).toMatchObject([{ amountK: 5 }]);
  });

  test("a user places, changes and deletes an entry order; a refusal is shown", async () => {
    await using opened = await open();
    const { page, broker } = opened;
    await said(page, "connected");
    await page.getByLabel("Type").selectOption("Entry");
    await page.getByLabel("Rate", { exact: true }).fill("1.02");
    await page.getByLabel("Good").selectOption("until a time");
    await page.getByLabel("Until", { exact: true }).fill("2026-02-01T12:00");
    await page.getByRole("button", { name: /^Buy/ }).click();
    const entry = rows(page, "orders");
    await entry.waitFor();
    expect(await entry.textContent()).toMatch(/Limit entry.*1\.02000/);
    await entry.getByRole("button", { name: /Edit/ }).click();
    await page.getByRole("dialog").getByLabel("Rate", { exact: true }).fill("1.03");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await entry.getByText("1.03000").waitFor();
    expect(broker.market.snapshot("Order")).toMatchObject([{ timeInForce: "GTD", buy: 1.03 }]);
    await rested(page);
    await entry.getByRole("button", { name: /Delete order/ }).click();
    await entry.waitFor({ state: "detached" });
    expect(broker.market.snapshot("Order")).toEqual([]);
    await page.getByLabel("Type").selectOption("Market");
    await page.getByLabel("Amount").fill("900000");
    await rested(page);
    await page.getByRole("button", { name: /^Sell/ }).click();
    await said(page, "This needs a margin of");
  });

  test("a user places an OCO pair", async () => {
    await using opened = await open();
    const { page, broker } = opened;
    await said(page, "connected");
    await page.getByLabel("Type").selectOption("One cancels the other");
    await page.getByLabel("Rate", { exact: true }).fill("1.3");
    await page.getByLabel("Second rate").fill("1.02");
    await page.getByLabel("Stop").fill("20");
    await page.getByRole("button", { name: /^Buy/ }).click();
    await rows(page, "orders").nth(1).waitFor();
    expect(broker.market.snapshot("Order")).toMatchObject([
      { ocoBulkId: 1, isBuy: true, type: "SE", buy: 1.3, stop: 1.298 },
      { ocoBulkId: 1, isBuy: false, type: "SE", sell: 1.02, stop: 1.022 },
    ]);
  });

  test("disabled Buy and Sell buttons say why: a closed market, a restricted account", async () => {
    const hours = { 1: forexHoursConfig };
    const prices = { type: "random_walk", start: "2026-01-16T20:50:00Z" } as const;
    await using opened = await open(`#token=${token}`, { hours, prices });
    const { page, broker } = opened;
    await said(page, "connected");
    const buy = page.getByRole("button", { name: /^Buy/ });
    expect(await buy.isEnabled()).toBe(true);
    // Past 16:55 on a Friday in New York.
    advance(broker, 300_000);
    await page.getByText("The market for EUR/USD is closed.").waitFor();
    expect(await buy.isDisabled()).toBe(true);
    await page.getByLabel("Type").selectOption("Entry");
    await page.locator("#ticket button[value=buy]:enabled").waitFor();

    const accounts = [{ account_id: accountId, balance: 1000, equity_stop: 999 }];
    await using restricted = await open(`#token=${token}`, { accounts });
    restricted.broker.market.execute("open_trade", { ...order, amount: 25 });
    await restricted.page.getByText("reached its equity stop").waitFor();
    const isOff = restricted.page.getByRole("button", { name: /^Sell/ }).isDisabled();
    expect(await isOff).toBe(true);
  });

  test("without a server no order can be placed; the page catches up after reconnecting", async () => {
    await using opened = await open();
    const { page, broker } = opened;
    broker.market.execute("open_trade", { ...order, amount: 3 });
    await rows(page, "positions").waitFor();
    // Stay offline long enough to be noticed.
    await page.context().setOffline(true);
    await setFaults(broker, { drop_connections: true });
    await said(page, "trying again");
    expect(await page.getByRole("button", { name: /^Buy/ }).isDisabled()).toBe(true);
    expect(await page.getByRole("button", { name: /Close trade/ }).isDisabled()).toBe(true);
    broker.market.execute("open_trade", { ...order, is_buy: false, amount: 8 });
    await page.context().setOffline(false);
    await rows(page, "positions").getByText("sell").waitFor();
    await said(page, /^connected$/);
    await page.locator("#ticket button[value=buy]:enabled").waitFor();
  });

  test("of a thousand positions only those in view are drawn, and all can be reached", async () => {
    const accounts = [{ account_id: accountId, balance: 10_000_000, hedging: true }];
    await using opened = await open(`#token=${token}`, { accounts });
    const { page, broker } = opened;
    for (let trade = 0; trade < 1000; trade += 1)
      broker.market.execute("open_trade", { ...order, amount: 1 });
    await page.locator('#positions table[aria-rowcount="1001"]').waitFor();
    expect(await rows(page, "positions").count()).toBeLessThan(100);
    const box = page.locator("#positions .scrolled");
    await page.evaluate("document.querySelector('#positions .scrolled').scrollTo(0, 1e9)");
    const last = broker.market.snapshot("OpenPosition").at(-1)?.tradeId ?? "";
    await page.getByRole("button", { name: `Close trade ${last}` }).waitFor();
    const head = await page.locator("#positions th >> nth=0").boundingBox();
    const top = (await box.boundingBox())?.y ?? 0;
    expect(Math.abs((head?.y ?? 0) - top)).toBeLessThan(2);
  });

  test("shows the account's report, draws its equity, and saves it as a file", async () => {
    await using opened = await open();
    const { page, broker } = opened;
    await said(page, "connected");
    for (const is_buy of [true, false, true, false]) {
      broker.market.execute("open_trade", { ...order, is_buy, amount: 10 });
      advance(broker, 600_000);
    }
    const report = page.getByRole("region", { name: "Report" });
    await report.getByRole("button", { name: "Show" }).click();
    await report.getByText("Profit factor").waitFor();
    await report.locator(".canvas[data-points] canvas").first().waitFor();
    const { equity = 0 } = broker.market.snapshot("Account")[0] ?? {};
    const gained = (equity - 10_000).toFixed(2);
    expect(await report.locator("dd").first().textContent()).toBe(gained);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      report.getByRole("button", { name: "Trades (CSV)" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("trades.csv");
  });

  test("asks for a token and says when it is not accepted", async () => {
    await using opened = await open("");
    const { page } = opened;
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByLabel("Token").fill("a-wrong-token");
    await page.getByRole("button", { name: "Connect" }).click();
    await said(page, "does not accept this token");
    await page.getByLabel("Token").fill(token);
    await page.getByRole("button", { name: "Connect" }).click();
    await said(page, /^connected$/);
    await page.reload();
    await said(page, /^connected$/);
  });

  test("times are in the user's time zone, which is shown", async () => {
    await using opened = await open(`#token=${token}`, {}, { timezoneId: "Asia/Tokyo" });
    const { page, broker } = opened;
    broker.market.execute("open_trade", { ...order, amount: 2 });
    broker.market.execute("open_trade", { ...order, is_buy: false, amount: 2 });
    await rows(page, "closed")
      .getByText(/Jan 12, 08:00:10 PM/)
      .first()
      .waitFor();
    await page.getByRole("heading", { name: "Closed trades" }).getByText("Asia/Tokyo").waitFor();
    await page.getByText("Time zone: Asia/Tokyo").waitFor();
  });

  test("fits phones and screens, light and dark, and is accessible in all of them", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await using opened = await open(`#token=${token}`, {}, { colorScheme });
      const { page, broker } = opened;
      broker.market.execute("open_trade", { ...order, amount: 2, stop: -50, is_in_pips: true });
      broker.market.execute("open_trade", { ...order, symbol: "USD/JPY", amount: 2 });
      await rows(page, "orders").waitFor();
      for (const width of [360, 768, 1440]) {
        await page.setViewportSize({ width, height: 740 });
        const scrolled = await page.evaluate("document.documentElement.scrollWidth");
        expect([width, scrolled]).toEqual([width, width]);
        // The rules are slow, and the width in between has no layout of its own.
        const broken = width === 768 ? [] : await accessibilityViolations(page);
        expect([width, ...broken]).toEqual([width]);
        const box = await page.locator("#positions .scrolled").boundingBox();
        const close = await page
          .getByRole("button", { name: /Close trade/ })
          .first()
          .boundingBox();
        const right = (close?.x ?? 0) + (close?.width ?? 0);
        expect(right).toBeLessThanOrEqual((box?.x ?? 0) + (box?.width ?? 0));
      }
    }
  });
});
