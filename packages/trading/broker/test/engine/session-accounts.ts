import type { AccountConfig } from "../../src/engine/account.ts";
import type { FillModelConfig } from "../../src/engine/fill-model.ts";

/** The currency of each account. */
export type Currencies = readonly string[];
export const dollars: Currencies = ["USD", "USD"];

/** Units per dollar, roughly. */
const worth: Readonly<Record<string, number>> = { JPY: 150 };

/** The accounts in these currencies, with roughly equal balances. */
export const accountsIn = (
  currencies: Currencies,
  accounts: readonly AccountConfig[],
): readonly AccountConfig[] =>
  accounts.map(({ balance, equity_stop = null, ...account }, index) => {
    const currency = currencies[index] ?? "USD";
    const units = worth[currency] ?? 1;
    const stop = equity_stop === null ? null : equity_stop * units;
    return { ...account, currency, balance: balance * units, equity_stop: stop };
  });

const inDollars: readonly (readonly [name: string, model: FillModelConfig | null])[] = [
  ["nothing", null],
  ["latency", { latency_ms: 700, latency_jitter_ms: 2500 }],
  ["slippage", { slippage_share: 0.5, slippage_pips: 2 }],
  ["touches", { touch_share: 0.3 }],
  ["depth", { depth: { amount: 7, step: 0.4, levels: 2 } }],
  ["commission", { commission: 0.037 }],
  ["protection", { negative_balance_protection: true }],
  ["the realistic profile", { profile: "realistic" }],
  // At any moment some orders are on their way.
  [
    "a slow realistic profile",
    { profile: "realistic", latency_ms: 2000, latency_jitter_ms: 400_000 },
  ],
];

/** No model, the full profile, each part of a model alone, and accounts in several currencies. */
export const fillModels: readonly (readonly [
  name: string,
  model: FillModelConfig | null,
  currencies: Currencies,
])[] = [
  ...inDollars.map(([name, model]) => [name, model, dollars] as const),
  ["accounts in euros and yen", null, ["EUR", "JPY"]],
  ["the realistic profile in francs and dollars", { profile: "realistic" }, ["CHF", "USD"]],
];
