import { isLeftOutWithoutChromium, startChromium } from "@proj/test-kit/chromium";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accountId, advance, setFaults, token } from "../server/served-broker.ts";
import { openPage, order, rested, rows, said } from "./open-page.ts";

describe.skipIf(isLeftOutWithoutChromium("the list of positions in a browser"))(
  "the list of positions in Chromium",
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await startChromium();
    });
    afterAll(() => browser?.close());

    test("a double click on Close closes one trade, even though the next moves under the pointer", async () => {
      await using opened = await openPage(browser);
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

    test("trades are closed by keyboard, and the focus stays in their list", async () => {
      await using opened = await openPage(browser);
      const { page, broker } = opened;
      for (let trade = 0; trade < 2; trade += 1)
        broker.market.execute("open_trade", { ...order, amount: 1 });
      await rows(page, "positions").nth(1).waitFor();
      // Until then its buttons are disabled, and take no focus.
      await said(page, "connected");
      const isInList = () => page.evaluate("document.activeElement.closest('#positions') !== null");
      for (const left of [1, 0]) {
        await page
          .getByRole("button", { name: /Close trade/ })
          .first()
          .focus();
        await page.keyboard.press("Enter");
        await expect.poll(() => rows(page, "positions").count()).toBe(left);
        expect(await isInList()).toBe(true);
        await rested(page);
      }
      expect(broker.market.snapshot("ClosedPosition")).toHaveLength(2);
    });

    test("a user sets and moves stop, limit and trailing step, and closes a part", async () => {
      await using opened = await openPage(browser);
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

    test("of a thousand positions only those in view are drawn, and all can be reached", async () => {
      const accounts = [{ account_id: accountId, balance: 10_000_000, hedging: true }];
      await using opened = await openPage(browser, `#token=${token}`, { accounts });
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
      await page.context().setOffline(true);
      await setFaults(broker, { drop_connections: true });
      await said(page, "trying again");
      await page.evaluate("document.querySelector('#positions .scrolled').scrollTo(0, 0)");
      const first = broker.market.snapshot("OpenPosition")[0]?.tradeId ?? "";
      const close = page.getByRole("button", { name: `Close trade ${first}` });
      await close.waitFor();
      expect(await close.isDisabled()).toBe(true);
    });

    test("shows the account's report without being asked, draws its equity, and saves it as a file", async () => {
      await using opened = await openPage(browser);
      const { page, broker } = opened;
      await said(page, "connected");
      const report = page.getByRole("region", { name: "Report" });
      await report.getByText("Profit factor").waitFor();
      for (const is_buy of [true, false, true, false]) {
        broker.market.execute("open_trade", { ...order, is_buy, amount: 10 });
        advance(broker, 600_000);
      }
      const stored = broker.market.reportSources(accountId)?.equity().rows.length ?? 0;
      // The stored points and the present.
      await report
        .locator(`.canvas[data-points="${stored + 1}"] canvas`)
        .first()
        .waitFor();
      const { equity = 0 } = broker.market.snapshot("Account")[0] ?? {};
      const gained = (equity - 10_000).toFixed(2);
      expect(await report.locator("dd").first().textContent()).toBe(gained);
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        report.getByRole("button", { name: "Trades (CSV)" }).click(),
      ]);
      expect(download.suggestedFilename()).toBe("trades.csv");
    });
  },
);
