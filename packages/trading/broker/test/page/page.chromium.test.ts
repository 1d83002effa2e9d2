import {
  accessibilityViolations,
  isLeftOutWithoutChromium,
  reload,
  startChromium,
} from "@proj/test-kit/chromium";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accountId, advance, connectBot, setFaults, token } from "../server/served-broker.ts";
import { openPage, order, rows, said } from "./open-page.ts";

describe.skipIf(isLeftOutWithoutChromium("the page in a browser"))("the page in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  const offer = (page: Page, symbol: string) =>
    page.locator(`#instruments [data-symbol="${symbol}"]`);

  test("shows live prices of instruments and the candles of the selected one", async () => {
    await using opened = await openPage(browser);
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

  test("an account's figures name its currency", async () => {
    const accounts = [
      { account_id: "1000", balance: 10_000, currency: "EUR" },
      { account_id: "2000", balance: 900_000, currency: "JPY" },
    ];
    await using opened = await openPage(browser, undefined, { accounts });
    const { page } = opened;
    const figures = page.locator("#figures");
    await figures.getByText("EUR").waitFor();
    await page.getByLabel("Account").selectOption("2000");
    await figures.getByText("JPY").waitFor();
    expect(await figures.textContent()).toContain("900,000.00");
  });

  test("a hidden instrument returns to its place", async () => {
    await using opened = await openPage(browser);
    const { page, broker } = opened;
    await said(page, "connected");
    broker.market.execute("update_subscriptions", { symbol: "EUR/USD", visible: false });
    await offer(page, "EUR/USD").waitFor({ state: "detached" });
    broker.market.execute("update_subscriptions", { symbol: "EUR/USD", visible: true });
    await offer(page, "EUR/USD").waitFor();
    expect(await rows(page, "instruments").first().getAttribute("data-symbol")).toBe("EUR/USD");
  });

  test("without a server no order can be placed; the page catches up after reconnecting", async () => {
    await using opened = await openPage(browser);
    const { page, broker } = opened;
    broker.market.execute("open_trade", { ...order, amount: 3 });
    await rows(page, "positions").getByRole("button", { name: /Edit/ }).click();
    // Stay offline long enough to be noticed.
    await page.context().setOffline(true);
    await setFaults(broker, { drop_connections: true });
    await said(page, "trying again");
    // Fades the prices, which may be old.
    await page.locator('html[data-server="gone"]').waitFor();
    expect(await page.getByRole("button", { name: /^Buy/ }).isDisabled()).toBe(true);
    for (const name of ["Save", "Close this amount", "Close trade"])
      expect(await page.getByRole("button", { name }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Cancel" }).click();
    broker.market.execute("open_trade", { ...order, is_buy: false, amount: 8 });
    await page.context().setOffline(false);
    await rows(page, "positions").getByText("sell").waitFor();
    await said(page, /^connected$/);
    await page.locator("#ticket button[value=buy]:enabled").waitFor();
  });

  test("asks for a token and says when it is not accepted", async () => {
    await using opened = await openPage(browser, "");
    const { page } = opened;
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByLabel("Token").fill("a-wrong-token");
    await page.getByRole("button", { name: "Connect" }).click();
    await said(page, "does not accept this token");
    await page.getByLabel("Token").fill(token);
    await page.getByRole("button", { name: "Connect" }).click();
    await said(page, /^connected$/);
    await reload(page);
    await said(page, /^connected$/);
  });

  test("a server with too many connections is tried again, with the same token", async () => {
    const connection_limits = { connections: 1 };
    await using opened = await openPage(browser, "", { connection_limits });
    const { page, broker } = opened;
    const bot = await connectBot(broker.url);
    await page.getByLabel("Token").fill(token);
    await page.getByRole("button", { name: "Connect" }).click();
    await said(page, "too many connections, trying again");
    await bot[Symbol.asyncDispose]();
    await said(page, /^connected$/);
  });

  test("times are in the user's time zone, which is shown", async () => {
    await using opened = await openPage(
      browser,
      `#token=${token}`,
      {},
      { timezoneId: "Asia/Tokyo" },
    );
    const { page, broker } = opened;
    broker.market.execute("open_trade", { ...order, amount: 2 });
    broker.market.execute("open_trade", { ...order, is_buy: false, amount: 2 });
    await rows(page, "closed")
      .getByText(/Jan 12, 08:00:10 PM/)
      .first()
      .waitFor();
    await page.getByRole("heading", { name: "Closed trades" }).getByText("Asia/Tokyo").waitFor();
    await page.getByText("Time zone: Asia/Tokyo").waitFor();
    await page.getByLabel("Type").selectOption("Entry");
    await page.getByLabel("Rate", { exact: true }).fill("1.02");
    await page.getByLabel("Good").selectOption("until a time");
    await page.getByLabel("Until", { exact: true }).fill("2026-02-01T12:00");
    await page.getByRole("button", { name: /^Buy/ }).click();
    await rows(page, "orders")
      .getByText(/Feb 1, 12:00:00 PM/)
      .waitFor();
    expect(broker.market.snapshot("Order")[0]?.expireDate).toBe("02012026030000000");
  });

  test("fits phones and screens, light and dark, and is accessible in all of them", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await using opened = await openPage(browser, `#token=${token}`, {}, { colorScheme });
      const { page, broker } = opened;
      broker.market.execute("open_trade", { ...order, amount: 2, stop: -50, is_in_pips: true });
      broker.market.execute("open_trade", { ...order, symbol: "USD/JPY", amount: 2 });
      const entry = { account_id: accountId, symbol: "EUR/USD", is_buy: true, amount: 2 };
      const trailing = { rate: 1.3, trailing_stop_step: 10, time_in_force: "GTC" } as const;
      broker.market.execute("create_entry_order", { ...entry, ...trailing });
      await rows(page, "orders").getByText("Trailing stop entry").waitFor();
      for (const width of [360, 768, 1440]) {
        await page.setViewportSize({ width, height: 740 });
        const scrolled = await page.evaluate("document.documentElement.scrollWidth");
        expect([width, scrolled]).toEqual([width, width]);
        // The rules are slow, and the width in between has no layout of its own.
        const broken = width === 768 ? [] : await accessibilityViolations(page);
        expect([width, ...broken]).toEqual([width]);
        // Nothing of a row is behind its buttons, or beyond the list's edge.
        for (const list of ["positions", "orders"]) {
          const place = `document.querySelector("#${list} .scrolled")`;
          const hidden = await page.evaluate(`${place}.scrollWidth - ${place}.clientWidth`);
          expect([width, list, hidden]).toEqual([width, list, 0]);
        }
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
