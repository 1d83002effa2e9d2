import { isLeftOutWithoutChromium, startChromium } from "@proj/test-kit/chromium";
import { forexHoursConfig } from "@proj/trading-client";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accountId, advance, token } from "../server/served-broker.ts";
import { openPage, order, rested, rows, said } from "./open-page.ts";

describe.skipIf(isLeftOutWithoutChromium("the order form in a browser"))(
  "the order form in Chromium",
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await startChromium();
    });
    afterAll(() => browser?.close());

    test("Enter in a field does not trade; a double click or a held key trades once", async () => {
      await using opened = await openPage(browser);
      const { page, broker } = opened;
      await said(page, "connected");
      const orders = () => broker.market.snapshot("OpenPosition").length;
      for (const name of ["Amount", "Stop", "Limit"]) await page.getByLabel(name).press("Enter");
      await page.getByRole("button", { name: /^Buy/ }).dblclick();
      await rows(page, "positions").first().waitFor();
      await rested(page);
      expect(orders()).toBe(1);
      // A slow one.
      await page.getByRole("button", { name: /^Buy/ }).click({ clickCount: 2, delay: 700 });
      await rows(page, "positions").nth(1).waitFor();
      await rested(page);
      expect(orders()).toBe(2);
      await page.getByRole("button", { name: /^Buy/ }).focus();
      for (let pressed = 0; pressed < 5; pressed += 1) await page.keyboard.down("Enter");
      await page.keyboard.up("Enter");
      await rested(page);
      await page.keyboard.down("Enter");
      await page.keyboard.up("Enter");
      await rows(page, "positions").nth(3).waitFor();
      expect(orders()).toBe(4);
    });

    test("a user places a market order and closes its position, which is listed as closed", async () => {
      await using opened = await openPage(browser);
      const { page, broker } = opened;
      await said(page, "connected");
      await page.getByLabel("Amount").fill("7");
      await page.getByLabel("Trailing").selectOption("dynamic");
      await page.getByRole("button", { name: /^Buy/ }).click();
      // Nothing could trail.
      await page.locator("input[name=stop]:invalid").waitFor();
      await rested(page);
      expect(broker.market.snapshot("Order")).toEqual([]);
      await page.getByLabel("Stop").fill("50");
      const [, ask = 0] = broker.market.price("EUR/USD")?.Rates ?? [];
      await page.getByRole("button", { name: `Buy ${ask.toFixed(5)}` }).click();
      await said(page, `Bought 7,000 EUR/USD at ${ask.toFixed(5)}.`);
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
      const [{ close = 0 } = {}] = broker.market.snapshot("ClosedPosition");
      await said(page, `Closed: sold 7,000 EUR/USD at ${close.toFixed(5)}, with a loss of`);
    });

    test("a user places, changes and deletes an entry order; a refusal is shown", async () => {
      await using opened = await openPage(browser);
      const { page, broker } = opened;
      await said(page, "connected");
      await page.getByLabel("Type").selectOption("Entry");
      await page.getByLabel("Rate", { exact: true }).fill("1.02");
      await page.getByLabel("Good").selectOption("until a time");
      await page.getByLabel("Until", { exact: true }).fill("2026-02-01T12:00");
      await page.getByRole("button", { name: /^Buy/ }).click();
      const entry = rows(page, "orders");
      await said(page, "Placed an order to buy 10,000 EUR/USD at 1.02000.");
      expect(await entry.textContent()).toMatch(/Limit entry.*1\.02000/);
      await entry.getByRole("button", { name: /Edit/ }).click();
      await page.getByRole("dialog").getByLabel("Rate", { exact: true }).fill("1.03");
      await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
      await entry.getByText("1.03000").waitFor();
      expect(broker.market.snapshot("Order")).toMatchObject([{ timeInForce: "GTD", buy: 1.03 }]);
      await rested(page);
      await page.setViewportSize({ width: 360, height: 740 });
      await entry.getByRole("button", { name: /Edit/ }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await entry.waitFor({ state: "detached" });
      await said(page, /^Deleted order \d+: limit entry, buy EUR\/USD\.$/);
      expect(broker.market.snapshot("Order")).toEqual([]);
      await page.getByLabel("Type").selectOption("Market");
      await page.getByLabel("Amount").fill("900000");
      await rested(page);
      await page.getByRole("button", { name: /^Sell/ }).click();
      await page.evaluate("window.scrollTo(0, document.body.scrollHeight)");
      await said(page, "This needs a margin of");
      const told = await page.locator("#said").boundingBox();
      const { height = 0 } = page.viewportSize() ?? {};
      expect(told?.y).toBeGreaterThan(0);
      expect((told?.y ?? 0) + (told?.height ?? 0)).toBeLessThanOrEqual(height);
    });

    test("a user places an OCO pair", async () => {
      await using opened = await openPage(browser);
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
      await rested(page);
      await page
        .getByRole("button", { name: /Delete order/ })
        .first()
        .click();
      await rows(page, "orders").nth(1).waitFor({ state: "detached" });
      expect(broker.market.snapshot("Order")).toMatchObject([{ sell: 1.02 }]);
    });

    test("disabled Buy and Sell buttons say why: a closed market, a restricted account", async () => {
      const hours = { 1: forexHoursConfig };
      const prices = { type: "random_walk", start: "2026-01-16T20:50:00Z" } as const;
      await using opened = await openPage(browser, `#token=${token}`, { hours, prices });
      const { page, broker } = opened;
      await said(page, "connected");
      const buy = page.getByRole("button", { name: /^Buy/ });
      expect(await buy.isEnabled()).toBe(true);
      broker.market.execute("open_trade", { ...order, amount: 1 });
      const close = page.getByRole("button", { name: /Close trade/ });
      await close.waitFor();
      expect(await close.isEnabled()).toBe(true);
      // Past 16:55 on a Friday in New York.
      advance(broker, 300_000);
      await page.getByText("The market for EUR/USD is closed.").waitFor();
      expect(await buy.isDisabled()).toBe(true);
      expect(await close.isDisabled()).toBe(true);
      await page.getByLabel("Type").selectOption("Entry");
      await page.locator("#ticket button[value=buy]:enabled").waitFor();

      const accounts = [{ account_id: accountId, balance: 1000, equity_stop: 999 }];
      await using restricted = await openPage(browser, `#token=${token}`, { accounts });
      restricted.broker.market.execute("open_trade", { ...order, amount: 25 });
      await restricted.page.getByText("reached its equity stop").waitFor();
      const isOff = restricted.page.getByRole("button", { name: /^Sell/ }).isDisabled();
      expect(await isOff).toBe(true);
    });

    test("in margin warning, an order that only closes is placed, and one that opens is not", async () => {
      // The margin is all that the account has, and the spread is lost at once.
      const accounts = [{ account_id: accountId, balance: 900 }];
      await using opened = await openPage(browser, `#token=${token}`, { accounts });
      const { page, broker } = opened;
      await said(page, "connected");
      broker.market.execute("open_trade", { ...order, amount: 25 });
      const isWarned = () => broker.market.snapshot("Account")[0]?.mc === "W";
      for (let second = 0; second < 3_600 && !isWarned(); second += 1) advance(broker, 1_000);
      const warning = page.getByText("margin is nearly used up");
      await warning.waitFor();
      const [buy, sell] = ["Buy", "Sell"].map((name) =>
        page.getByRole("button", { name: new RegExp(`^${name}`) }),
      );
      await page.getByLabel("Amount").fill("26");
      await page.locator("#ticket button[value=sell]:disabled").waitFor();
      await page.getByLabel("Amount").fill("25");
      await page.locator("#ticket button[value=sell]:enabled").waitFor();
      expect(await buy?.isDisabled()).toBe(true);
      // As the server does, which decides when the rate is reached.
      await page.getByLabel("Type").selectOption("Entry");
      await page.locator("#ticket button[value=buy]:enabled").waitFor();
      await page.getByLabel("Type").selectOption("Market");
      await sell?.click();
      await rows(page, "closed").getByText("EUR/USD").waitFor();
      expect(broker.market.snapshot("OpenPosition")).toEqual([]);
      advance(broker, 1_000);
      await warning.waitFor({ state: "hidden" });
    });
  },
);
