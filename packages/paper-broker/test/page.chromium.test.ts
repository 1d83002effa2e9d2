import { existsSync } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PaperBrokerConfig } from "../src/index.ts";
import { advance, serveBroker, setFaults, token } from "./server/served-broker.ts";

const executablePath = "/usr/bin/chromium";
const isThere = existsSync(executablePath);
const isRequired = Boolean(process.env.REQUIRE_ALL_SUITES);
if (!isThere && !isRequired)
  console.warn(
    `Left out: the page in a browser (packages/paper-broker). ${executablePath} is missing; ` +
      "on Debian and Ubuntu: apt-get install chromium",
  );

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

describe.skipIf(!isThere && !isRequired)("the page in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    // Its profile is a fresh folder, which playwright removes.
    browser = await chromium.launch({ executablePath, args });
  });
  afterAll(() => browser?.close());

  async function open(
    hash = `#token=${token}`,
    config: Partial<PaperBrokerConfig> = {},
    options: BrowserContextOptions = {},
  ) {
    const broker = await serveBroker(config);
    advance(broker, 3_600_000);
    const context = await browser.newContext(options);
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
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

  test("shows instruments with their prices, live, and the candles of the selected one", async () => {
    await using opened = await open();
    const { page, broker } = opened;
    await said(page, "connected");
    expect(await page.locator("#instruments tbody tr").count()).toBe(8);
    await page.locator('#chart[data-candles="61"] canvas').first().waitFor();
    advance(broker, 5000);
    const bid = (symbol: string) => String(broker.market.price(symbol)?.Rates[0]);
    await offer(page, "USD/JPY")
      .getByText(Number(bid("USD/JPY")).toFixed(3))
      .waitFor();
    await offer(page, "GBP/USD").click();
    await page.getByRole("heading", { name: "GBP/USD" }).waitFor();
    await page.getByLabel("Candles").selectOption("m15");
    await page.locator('#chart[data-candles="5"]').waitFor();
    expect(await page.getByLabel("Account").inputValue()).toBe("1537581");
    expect(await page.locator("#figures").textContent()).toContain("10,000.00");
    expect(new URL(page.url()).hash).toBe("");
  });

  test("a person places a market order and closes its position", async () => {
    await using opened = await open();
    const { page, broker } = opened;
    await said(page, "connected");
    await page.getByLabel("Amount").fill("7");
    await page.getByLabel("Stop").fill("50");
    await page.getByRole("button", { name: "Buy" }).click();
    await said(page, /Order \d+/);
    const position = page.locator("#positions tbody tr");
    await position.waitFor();
    expect(broker.market.snapshot("OpenPosition")).toMatchObject([
      { isBuy: true, amountK: 7, currency: "EUR/USD", stop: expect.any(Number) },
    ]);
    await position.getByRole("button", { name: /Close trade/ }).click();
    await position.waitFor({ state: "detached" });
    expect(broker.market.snapshot("ClosedPosition")).toHaveLength(1);
  });

  test("a person places an entry order and deletes it; a refusal is shown in words", async () => {
    await using opened = await open();
    const { page, broker } = opened;
    await said(page, "connected");
    await page.getByLabel("Type").selectOption("Entry");
    await page.getByLabel("Rate").fill("1.02");
    await page.getByRole("button", { name: "Buy" }).click();
    const order = page.locator("#orders tbody tr");
    await order.waitFor();
    expect(await order.textContent()).toContain("1.02000");
    await order.getByRole("button", { name: /Delete order/ }).click();
    await order.waitFor({ state: "detached" });
    expect(broker.market.snapshot("Order")).toEqual([]);
    await page.getByLabel("Type").selectOption("Market");
    await page.getByLabel("Amount").fill("900000");
    await page.getByRole("button", { name: "Sell" }).click();
    await said(page, "It takes a margin of");
  });

  test("goes on after a dropped connection, with what changed meanwhile", async () => {
    await using opened = await open();
    const { page, broker } = opened;
    await said(page, "connected");
    await setFaults(broker, { drop_connections: true });
    await said(page, "trying again");
    broker.market.execute("open_trade", {
      ...{ account_id: "1537581", symbol: "EUR/USD", is_buy: false, amount: 3 },
      ...{ order_type: "AtMarket", time_in_force: "GTC" },
    });
    await page.locator("#positions tbody tr").getByText("sell").waitFor();
    await said(page, /^connected$/);
  });

  test("asks for a token, and says when it is not accepted", async () => {
    await using opened = await open("");
    const { page } = opened;
    await page.getByLabel("Token").fill("a-wrong-token");
    await page.getByRole("button", { name: "Connect" }).click();
    await said(page, "does not accept this token");
    await page.getByLabel("Token").fill(token);
    await page.getByRole("button", { name: "Connect" }).click();
    await said(page, /^connected$/);
    await page.reload();
    await said(page, /^connected$/);
  });

  test("fits a phone: nothing but tables scrolls sideways", async () => {
    const viewport = { width: 360, height: 740 };
    await using opened = await open(`#token=${token}`, {}, { viewport, isMobile: true });
    const { page } = opened;
    await said(page, "connected");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  });
});
