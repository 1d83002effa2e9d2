import {
  accessibilityViolations,
  isLeftOutWithoutChromium,
  startChromium,
} from "@proj/test-kit/chromium";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accountId, advance, setFaults, token } from "../server/served-broker.ts";
import { type OpenedPage, openPage, order, said } from "./open-page.ts";

const markup = `<img src="x" onerror="document.title = 'run'"><script>document.title = 'run'</script>`;
const entry = { account_id: accountId, symbol: "EUR/USD", is_buy: true, amount: 2 } as const;

describe.skipIf(isLeftOutWithoutChromium("the chart of paper-broker in a browser"))(
  "the chart in Chromium",
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await startChromium();
    });
    afterAll(() => browser?.close());

    const line = (page: Page, name: RegExp): Locator => page.getByRole("slider", { name });
    const preview = (page: Page): Locator => page.locator("#chart .preview");
    const position = ({ broker }: OpenedPage) => broker.market.snapshot("OpenPosition")[0];

    /** A page with a bought position that has a stop and a limit, and an entry order with a stop. */
    async function openDesk(options = {}): Promise<OpenedPage> {
      const opened = await openPage(browser, `#token=${token}`, {}, options);
      const { broker, page } = opened;
      const pips = { is_in_pips: true, time_in_force: "GTC" } as const;
      broker.market.execute("open_trade", { ...order, amount: 10, stop: -20, limit: 30, ...pips });
      broker.market.execute("create_entry_order", { ...entry, rate: 1.08, stop: -10, ...pips });
      await said(page, "connected");
      await line(page, /^Limit of the bought 10,000 EUR\/USD/).waitFor();
      return opened;
    }

    async function drag(page: Page, handle: Locator, down: number): Promise<void> {
      const box = await handle.boundingBox();
      const [x, y] = [(box?.x ?? 0) + 10, (box?.y ?? 0) + 10];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x, y + down, { steps: 4 });
    }

    test("a stop is dragged: what will happen is shown, then what has happened is said", async () => {
      await using opened = await openDesk();
      const { page } = opened;
      const before = position(opened)?.stop ?? 0;
      const stop = line(page, /^Stop of the bought/);
      await stop.scrollIntoViewIfNeeded();
      await drag(page, stop, -12);
      await preview(page)
        .getByText(
          /^Stop 1\.0\d{4}: Closes 10,000 EUR\/USD at this rate or worse, with a loss of about \d+\.\d\d USD\.$/,
        )
        .waitFor();
      // Nothing has happened yet.
      expect(position(opened)?.stop).toBe(before);
      const shown = /^Stop (\S+):/.exec((await preview(page).textContent()) ?? "")?.[1] ?? "";
      await page.mouse.up();
      await said(
        page,
        `is now ${shown}. Closes 10,000 EUR/USD at this rate or worse, with a loss of`,
      );
      expect(position(opened)).toMatchObject({ stop: Number(shown) });
      expect(Number(shown)).toBeGreaterThan(before);

      // The price is below: the server refuses, and the line goes back.
      await drag(page, stop, -150);
      await preview(page)
        .getByText(/A stop has to be below 1\.0\d{4}\.$/)
        .waitFor();
      await page.mouse.up();
      await said(page, "on the wrong side of the price");
      await page
        .getByRole("slider", { name: /^Stop of the bought/ })
        .getByText(`Stop ${shown}`)
        .waitFor();
      expect(position(opened)).toMatchObject({ stop: Number(shown) });

      await drag(page, stop, 10);
      await page.keyboard.press("Escape");
      await page.mouse.up();
      expect(await preview(page).textContent()).toBe("");
      expect(position(opened)).toMatchObject({ stop: Number(shown) });
    });

    test("limit and entry order are moved by keyboard; Escape and leaving change nothing", async () => {
      await using opened = await openDesk();
      const { page, broker } = opened;
      const { limit = 0 } = position(opened) ?? {};
      const handle = line(page, /^Limit of the bought/);
      await handle.press("ArrowUp");
      await handle.press("PageUp");
      const moved = (limit + 0.0011).toFixed(5);
      expect(await handle.getAttribute("aria-valuetext")).toMatch(
        new RegExp(`^Limit ${moved}: Closes 10,000 EUR/USD at this rate or better, with a profit`),
      );
      await handle.press("Escape");
      await handle.press("Enter");
      await handle.press("ArrowDown");
      await page.getByLabel("Amount").focus();
      expect(position(opened)?.limit).toBe(limit);
      await handle.press("ArrowUp");
      await handle.press("PageUp");
      await handle.press("Enter");
      await said(page, `is now ${moved}. Closes 10,000 EUR/USD`);
      expect(position(opened)?.limit).toBe(Number(moved));

      const rate = line(page, /^Rate of the order to buy 2,000 EUR\/USD/);
      await rate.press("ArrowDown");
      await preview(page)
        .getByText("Buy 1.07990: Buys 2,000 EUR/USD when the price falls to 1.07990.")
        .waitFor();
      await rate.press("Enter");
      await said(page, "is now 1.07990.");
      const own = () => broker.market.snapshot("Order").find(({ isEntryOrder }) => isEntryOrder);
      // Its stop was given in pips, and moves along.
      expect(own()).toMatchObject({ buy: 1.0799, stop: 1.0789 });
      const stop = line(page, /^Stop of the order/);
      await stop.press("PageDown");
      await preview(page).getByText("Once the order is filled, closes 2,000 EUR/USD").waitFor();
      await stop.press("Enter");
      await said(page, "is now 1.07790.");
      expect(own()).toMatchObject({ stop: 1.0779 });
    });

    test("without a server, and after the position is closed, nothing can be moved", async () => {
      await using opened = await openDesk();
      const { page, broker } = opened;
      const stop = line(page, /^Stop of the bought/);
      await stop.press("ArrowUp");
      const trade_id = position(opened)?.tradeId ?? "";
      await page.context().setOffline(true);
      await setFaults(broker, { drop_connections: true });
      await page.locator('[role="slider"][aria-disabled="true"]').first().waitFor();
      await page.context().setOffline(false);
      await page.locator('[role="slider"][aria-disabled="false"]').first().waitFor();
      broker.market.execute("close_trade", {
        trade_id,
        order_type: "AtMarket",
        time_in_force: "GTC",
      });
      await stop.waitFor({ state: "detached" });
      expect(await preview(page).textContent()).toBe("");
      // It was opened and closed.
      await page.locator('#chart[data-fills="2"]').waitFor();
      const order_id = broker.market.snapshot("Order")[0]?.orderId ?? "";
      broker.market.execute("delete_order", { order_id });
      // Trades of earlier days are not in the tables, and here before the first candle.
      advance(broker, 86_400_000);
      await page.locator('#chart[data-fills="0"]').waitFor();
      await page.getByLabel("Candles").selectOption("h4");
      await page.locator('#chart[data-fills="2"]').waitFor();
    });

    test("the values of a candle are shown: under the pointer, or chosen by key", async () => {
      await using opened = await openDesk();
      const { page, broker } = opened;
      const values = page.locator("#chart .values");
      const price = String(broker.market.price("EUR/USD")?.Rates[0]);
      const newest = await values.textContent();
      expect(newest).toMatch(new RegExp(`^Jan 12, 2026, .* Open .* High .* Low .* Close ${price}`));
      const canvas = page.locator("#chart .canvas");
      const box = await canvas.boundingBox();
      await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + 20);
      await expect.poll(() => values.textContent()).not.toBe(newest);
      await page.mouse.move(0, 0);
      await expect.poll(() => values.textContent()).toBe(newest);
      await canvas.press("ArrowLeft");
      const time = (text: string | null) =>
        Date.parse(/^(.*?) {2}Open/.exec(text ?? "")?.[1] ?? "");
      const before = await values.textContent();
      expect(time(newest) - time(before)).toBe(60_000);
      await canvas.press("PageUp");
      expect(time(before) - time(await values.textContent())).toBe(600_000);
      await canvas.press("Escape");
      expect(await values.textContent()).toBe(newest);
    });

    test("with lines, at three widths and in both schemes, it fits and is accessible", async () => {
      for (const colorScheme of ["light", "dark"] as const) {
        await using opened = await openDesk({ colorScheme });
        const { page } = opened;
        await line(page, /^Stop of the bought/).press("ArrowUp");
        for (const width of [390, 768, 1280]) {
          await page.setViewportSize({ width, height: 740 });
          expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
          expect(await accessibilityViolations(page)).toEqual([]);
          // Every handle is whole, inside the chart, and covers no other.
          await expect.poll(() => crowded(page)).toEqual([]);
        }
      }
    });

    test("a name with markup is text", async () => {
      const properties = [{ name: `account_label_${accountId}`, value: markup }];
      await using opened = await openPage(browser, `#token=${token}`, { properties });
      const { page } = opened;
      await said(page, /^connected$/);
      const accounts = page.getByLabel("Account").locator("option");
      expect(await accounts.allTextContents()).toEqual([`${markup} (${accountId})`]);
      expect(await page.locator("img").count()).toBe(0);
      expect(await page.title()).toBe("Paper trading");
    });
  },
);

/** Handles that are outside the chart or overlap another one. */
const crowded = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const chart = document.querySelector("#chart .lines").getBoundingClientRect();
    const handles = [...document.querySelectorAll(".line span")];
    const boxes = handles.map((handle) => handle.getBoundingClientRect());
    return handles.filter((_, index) => {
      const { top, bottom, left, right } = boxes[index];
      if (top < chart.top - 1 || bottom > chart.bottom + 1 || right > chart.right) return true;
      return boxes.some(
        (other, at) =>
          at < index && other.top < bottom - 1 && other.bottom > top + 1 && other.left < right && other.right > left,
      );
    }).map(({ textContent }) => textContent);
  })()`);
