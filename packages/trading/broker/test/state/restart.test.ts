import { copyFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@proj/test-kit";
import { describe, expect, it, onTestFinished } from "vitest";
import type { CommandResult } from "../../src/engine/command.ts";
import type { PaperMarketOptions } from "../../src/market/market-options.ts";
import { openPaperMarket, type PaperMarket } from "../../src/market/paper-market.ts";
import { StateError } from "../../src/state/state-error.ts";
import { everything, step, tradingOptions } from "./trading-run.ts";

async function stateFile(): Promise<string> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  return join(folder.path, "new", "market.db");
}

function open(state_file: string | null, options: Partial<PaperMarketOptions> = {}): PaperMarket {
  const market = openPaperMarket({ ...tradingOptions, state_file, ...options });
  onTestFinished(() => market.close());
  return market;
}

describe("a reopened market", () => {
  it("continues unchanged: the same seed and orders give the same fills", async () => {
    const file = await stateFile();
    const whole = open(null);
    let interrupted = open(file);
    for (let number = 0; number < 80; number += 1) {
      const answers = [whole, interrupted].map((market) => step(market, number));
      expect(answers[0]).toEqual(answers[1]);
      if (number % 7 === 0) {
        interrupted.close();
        interrupted = open(file);
      }
      if (number % 10 === 0) expect(everything(interrupted)).toEqual(everything(whole));
    }
    expect(everything(interrupted)).toEqual(everything(whole));
    expect(whole.snapshot("OpenPosition").length).toBeGreaterThan(0);
    expect(whole.snapshot("Order").length).toBeGreaterThan(0);
  });

  it("has the changes of each command, even of a single one between restarts", async () => {
    const file = await stateFile();
    let market = open(file);
    market.advanceTo(market.now + 60_000);
    const trade = { account_id: "1", symbol: "EUR/USD", is_buy: true, amount: 4 };
    const terms = { order_type: "AtMarket", time_in_force: "GTC" } as const;
    const trade_id = "500000001";
    const order_id = "100000002";
    const commands: readonly (() => CommandResult)[] = [
      () => market.execute("open_trade", { ...trade, ...terms }),
      () => market.execute("create_entry_order", { ...trade, rate: 1, time_in_force: "GTC" }),
      () => market.execute("change_order", { order_id, rate: 1.01, amount: 7 }),
      () => market.execute("change_order_stop_limit", { order_id, stop: 0.9, limit: 1.4 }),
      () => market.execute("add_to_oco", { orderIds: [order_id], ocoBulkId: 0 }),
      () => market.execute("change_trade_stop_limit", { trade_id, is_stop: true, rate: 0.95 }),
      () => market.execute("change_trade_stop_limit", { trade_id, is_stop: false, rate: 1.3 }),
      () => market.execute("change_trade_stop_limit", { trade_id, is_stop: true, rate: 0 }),
      () => market.execute("remove_from_oco", { orderIds: [order_id] }),
      () => market.execute("close_trade", { trade_id, amount: 1, ...terms }),
      () => market.execute("delete_order", { order_id }),
      () => market.execute("update_subscriptions", { symbol: "EUR/USD", visible: false }),
    ];
    for (const command of commands) {
      const before = everything(market);
      expect(command()).toMatchObject({ executed: true });
      const after = everything(market);
      expect(after).not.toEqual(before);
      market.close();
      market = open(file);
      expect(everything(market)).toEqual(after);
    }
  });

  it("shows the trading day's closed positions and remembers the others", async () => {
    const file = await stateFile();
    const market = open(file);
    for (let number = 0; number < 30; number += 1) step(market, number);
    const closed = market.snapshot("ClosedPosition");
    expect(closed.length).toBeGreaterThan(3);
    market.close();
    // Parts of one closing have the same time; they come back in order of id.
    const inOrder = (rows: typeof closed) =>
      rows.toSorted(
        (a, b) => a.closeTime.localeCompare(b.closeTime) || Number(a.tradeId) - Number(b.tradeId),
      );
    expect(inOrder(open(file).snapshot("ClosedPosition"))).toEqual(inOrder(closed));
  });

  it("accepts configuration changes that lose nothing", async () => {
    const file = await stateFile();
    const market = open(file);
    for (let number = 0; number < 20; number += 1) step(market, number);
    market.close();
    const [first, ...others] = tradingOptions.accounts;
    const accounts = [{ ...first, account_id: "1", balance: 999 }, ...others];
    const more = { account_id: "77", balance: 500 };
    const again = open(file, { accounts: [...accounts, more] });
    const balances = again.snapshot("Account").map(({ balance }) => balance);
    expect(balances[0]).toBe(market.snapshot("Account")[0]?.balance);
    expect(balances.at(-1)).toBe(500);
  });

  it("keeps an account's balance from its first trade on, even a free one", async () => {
    const file = await stateFile();
    const account = { account_id: "1", balance: 5_000 };
    const market = open(file, { accounts: [account] });
    market.advanceTo(market.now + 60_000);
    const terms = { order_type: "AtMarket", time_in_force: "GTC" } as const;
    const trade = { account_id: "1", symbol: "EUR/USD", is_buy: true, amount: 4, ...terms };
    expect(market.execute("open_trade", trade)).toMatchObject({ executed: true });
    market.close();
    const again = open(file, { accounts: [{ ...account, balance: 999 }] });
    expect(again.snapshot("Account")[0]?.balance).toBe(5_000);
  });
});

describe("a state file", () => {
  it("is locked while another market has it open", async () => {
    const file = await stateFile();
    const market = open(file);
    expect(() => open(file)).toThrow(/in use by a paper broker \(process \d+ on /);
    market.close();
    open(file);
  });

  it("accepts no writes while it is moved away, since they would be lost", async () => {
    const file = await stateFile();
    const market = open(file);
    step(market, 0);
    renameSync(file, `${file}.moved`);
    expect(() => market.advanceTo(market.now + 60_000)).toThrow(StateError);
    expect(() => market.advanceTo(market.now + 60_000)).toThrow(/market\.db was removed/);
  });

  it("is refused with other prices than it was created with", async () => {
    const file = await stateFile();
    const market = open(file);
    step(market, 0);
    market.close();
    const prices = { type: "random_walk", seed: 99 } as const;
    expect(() => open(file, { prices })).toThrow(StateError);
    expect(() => open(file, { prices })).toThrow(/other prices/);
  });

  it("is refused if an account or instrument with open orders is no longer configured", async () => {
    const file = await stateFile();
    const market = open(file);
    for (let number = 0; number < 20; number += 1) step(market, number);
    market.close();
    const accounts = [{ account_id: "5", balance: 1 }];
    expect(() => open(file, { accounts })).toThrow(/keep both configured/);
  });

  it("that cannot be created is refused with a reason", () => {
    expect(() => open("/proc/market.db")).toThrow(StateError);
  });

  it("that is not a state file is refused", async () => {
    const file = await stateFile();
    open(file).close();
    copyFileSync(import.meta.filename, file);
    expect(() => open(file)).toThrow(/cannot be used/);
  });
});
