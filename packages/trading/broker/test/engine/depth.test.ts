import { expect, test } from "vitest";
import { TradingFloor } from "./trading-floor.ts";

const depth = { amount: 10, step: 1, levels: 5 };

test("five small orders at one quote pay what one large order pays", () => {
  const rates = (amounts: readonly number[]) => {
    const floor = new TradingFloor({ fillModel: { depth } });
    floor.price("EUR/USD", 1.1, 1.1001);
    for (const amount of amounts) floor.trade({ amount });
    return floor.rows("OpenPosition").map(({ open }) => open);
  };
  expect(rates([10, 10, 10, 10, 10])).toEqual(rates([50]));
  expect(rates([15, 15])).toEqual([1.1001, 1.1002, 1.1002, 1.1003]);
});

test("what was taken comes back with time, and the other side is untouched", () => {
  const floor = new TradingFloor({ fillModel: { depth: { ...depth, recovery_ms: 4000 } } });
  floor.price("EUR/USD", 1.1, 1.1001);
  const buy = () => {
    floor.trade();
    return floor.rows("OpenPosition").at(-1)?.open;
  };
  expect([buy(), buy(), buy()]).toEqual([1.1001, 1.1002, 1.1003]);
  floor.pass(4000);
  expect(buy()).toBe(1.1003);
  floor.pass(20_000);
  expect(buy()).toBe(1.1001);
  floor.trade({ is_buy: false });
  expect(floor.rows("ClosedPosition").at(-1)?.close).toBe(1.1);
  // A new price does not bring it back by itself.
  floor.price("EUR/USD", 1.2, 1.2001);
  expect(buy()).toBe(1.2002);
});

test("depth comes back as fast while an order waits for it", () => {
  const floor = new TradingFloor({
    fillModel: { depth: { ...depth, amount: 2, levels: 1, recovery_ms: 4000 } },
  });
  floor.price("EUR/USD", 1.1, 1.1001);
  floor.trade({ amount: 6 });
  const filled = () => floor.rows("OpenPosition").reduce((sum, { amountK }) => sum + amountK, 0);
  const amounts: number[] = [];
  for (let second = 0; second <= 8; second += 1) {
    amounts.push(filled());
    floor.price("EUR/USD", 1.1, 1.1001);
  }
  expect(amounts).toEqual([2, 2, 3, 3, 4, 4, 5, 5, 6]);
});
