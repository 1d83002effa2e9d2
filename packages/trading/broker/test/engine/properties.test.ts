import type { OfferRecord } from "@proj/trading-client";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FillModelConfig } from "../../src/engine/fill-model.ts";
import { cents, exactMoney, exactProfit, sum } from "./exact-money.ts";
import { openSession, play } from "./random-session.ts";
import { type Session, session } from "./random-steps.ts";
import { type Currencies, fillModels } from "./session-accounts.ts";
import { TableMirror } from "./table-mirror.ts";
import { hedgingId, type TradingFloor } from "./trading-floor.ts";

const models = [
  ...(["Offer", "OpenPosition", "ClosedPosition", "Order", "OCO", "Summary", "Account"] as const),
];

/** Plays a session and checks it after every step. */
function playAll(
  of: Session,
  model: FillModelConfig | null,
  currencies: Currencies,
  look: (floor: TradingFloor, changes: TradingFloor["changes"]) => void,
): TradingFloor {
  const floor = openSession(of, model, currencies);
  floor.changes.length = 0;
  for (const step of of.steps) {
    play(floor, step);
    look(floor, floor.changes.splice(0));
  }
  return floor;
}

describe.each(fillModels)("for any orders and prices, with %s", (_name, model, currencies) => {
  const runs = { numRuns: model === null ? 40 : 12 };
  const [netting = "", hedging = ""] = currencies;
  const currencyOf = ({ accountName }: { readonly accountName?: string }): string =>
    accountName?.endsWith(hedgingId) ? hedging : netting;
  /** Currency of the Summary table. */
  const common = netting === hedging ? netting : "USD";

  it("every figure of every account is right to the cent", () => {
    fc.assert(
      fc.property(session, (of) => {
        playAll(of, model, currencies, (floor) => {
          const positions = floor.rows("OpenPosition");
          const accounts = floor.rows("Account");
          const profits = positions.map(({ grossPL }) => cents(grossPL));
          const margins = positions.map(({ usedMargin }) => cents(usedMargin));
          const offers = floor.rows("Offer");
          expect(profits).toEqual(
            positions.map((position) => exactProfit(offers, position, currencyOf(position))),
          );
          expect(margins).toEqual(
            positions.map((position) => {
              const { mmr = 0 } = offers.find((row) => row.currency === position.currency) ?? {};
              const dollarCents = Math.round(mmr * 100 * position.amountK);
              return exactMoney(offers, dollarCents, "USD", currencyOf(position));
            }),
          );
          const ownSum = (accountId: string, figures: readonly number[]) =>
            sum(figures.filter((_, index) => positions[index]?.accountId === accountId));
          expect(
            accounts.map((account) => ({
              grossPL: cents(account.grossPL),
              equity: cents(account.equity),
              usdMr: cents(account.usdMr),
              usableMargin: cents(account.usableMargin),
            })),
          ).toEqual(
            accounts.map(({ accountId, balance, equity }) => ({
              grossPL: ownSum(accountId, profits),
              equity: cents(balance) + ownSum(accountId, profits),
              usdMr: ownSum(accountId, margins),
              usableMargin: cents(equity) - ownSum(accountId, margins),
            })),
          );
          const summed = floor.rows("Summary");
          expect([
            sum(summed.map(({ grossPL }) => cents(grossPL))),
            sum(summed.map(({ usedMargin }) => cents(usedMargin))),
          ]).toEqual(
            [profits, margins].map((figures) =>
              sum(
                positions.map((position, index) =>
                  exactMoney(offers, figures[index] ?? 0, currencyOf(position), common),
                ),
              ),
            ),
          );
        });
      }),
      runs,
    );
  });

  it("a balance is the start, realised profit, swaps, commission and forgiven debt", () => {
    fc.assert(
      fc.property(session, (of) => {
        let realised = 0;
        let closedCosts = 0;
        // Orders that arrive between two prices execute at the earlier one.
        let earlier: readonly OfferRecord[] = openSession(of, model, currencies).rows("Offer");
        const first = openSession({ ...of, steps: [] }, model, currencies);
        const began = sum(first.rows("Account").map((account) => cents(account.balance)));
        playAll(of, model, currencies, (floor, changes) => {
          for (const { model, record } of changes) {
            if (model !== "ClosedPosition" || record.action !== "I") continue;
            const { grossPL = 0, roll = 0, com = 0 } = record;
            realised += cents(grossPL);
            closedCosts += cents(roll) + cents(com);
            const { currency = "", isBuy = true, open = 0, close = 0, amountK = 0 } = record;
            const trade = { currency, isBuy, open, close, amountK };
            const offers = [floor.rows("Offer"), ...(model === null ? [] : [earlier])];
            const possible = offers.map((rows) => exactProfit(rows, trade, currencyOf(record)));
            expect(possible).toContain(cents(grossPL));
          }
          earlier = floor.rows("Offer");
          const openCosts = sum(
            floor.rows("OpenPosition").map(({ roll, com }) => cents(roll) + cents(com)),
          );
          const credit = sum([...floor.engine.book.accounts.values()].map((row) => row.credit));
          const balance = sum(floor.rows("Account").map((account) => cents(account.balance)));
          expect(balance).toBe(began + realised + closedCosts + openCosts + credit);
        });
      }),
      runs,
    );
  });

  it("every order id maps to its trades", () => {
    fc.assert(
      fc.property(session, (of) => {
        const ordersOf = new Map<string, Set<string>>();
        const opened = new Map<string, string>();
        const amounts = new Map<string, number>();
        playAll(of, model, currencies, (_floor, changes) => {
          for (const { model, record } of changes) {
            if (model === "Order" && record.orderId !== undefined) {
              const trades = ordersOf.get(record.orderId) ?? new Set();
              ordersOf.set(record.orderId, trades);
              if (record.action === "U" && record.tradeId !== undefined) trades.add(record.tradeId);
            }
            if (model === "OpenPosition" && record.action === "I") {
              const { tradeId = "", orderId = "", amountK = 0 } = record;
              opened.set(tradeId, orderId);
              amounts.set(orderId, (amounts.get(orderId) ?? 0) + amountK);
            }
            if (model === "ClosedPosition" && record.action === "I") {
              const { orderId = "", amountK = 0 } = record;
              amounts.set(orderId, (amounts.get(orderId) ?? 0) - amountK);
            }
          }
          const lost = [...opened].filter(
            ([tradeId, orderId]) => !ordersOf.get(orderId)?.has(tradeId),
          );
          expect(lost).toEqual([]);
        });
        for (const left of amounts.values()) expect(left).toBeGreaterThanOrEqual(0);
      }),
      runs,
    );
  });

  it("the initial rows plus the pushes give the tables", () => {
    fc.assert(
      fc.property(session, (of) => {
        const mirror = new TableMirror();
        const first = openSession({ ...of, steps: [] }, model, currencies);
        for (const model of models) mirror.start(model, first.rows(model));
        playAll(of, model, currencies, (floor, changes) => {
          for (const change of changes) mirror.apply(change);
          for (const model of models) expect(mirror.rows(model)).toEqual(floor.rows(model));
        });
      }),
      runs,
    );
  });

  it("the same session gives the same pushes and the same tables", () => {
    fc.assert(
      fc.property(session, (of) => {
        const [one, other] = [0, 1].map(() => {
          const pushes: unknown[] = [];
          const floor = playAll(of, model, currencies, (_floor, changes) =>
            pushes.push(...changes),
          );
          return { pushes, tables: models.map((model) => floor.rows(model)) };
        });
        expect(one).toEqual(other);
      }),
      runs,
    );
  });

  it("a refused request pushes nothing", () => {
    fc.assert(
      fc.property(session, (of) => {
        const floor = openSession(of, model, currencies);
        for (const step of of.steps) {
          floor.changes.length = 0;
          const before = floor.refusals;
          play(floor, step);
          if (floor.refusals > before) expect(floor.changes).toEqual([]);
        }
      }),
      runs,
    );
  });
});
