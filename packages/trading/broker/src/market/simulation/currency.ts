/**
 * How a currency moves against the dollar: its volatility and its loadings on common factors. The rest is its own,
 * so that correlations are the products of the loadings.
 */
export interface CurrencyModel {
  /** Standard deviation of the yearly return. */
  readonly volatility: number;
  /** Loadings on the dollar's own moves, on risk appetite and on Europe; their squares sum to less than 1. */
  readonly loadings: readonly [dollar: number, risk: number, europe: number];
}

/** The majors' long-run volatilities and correlations, rounded. */
const majors: Readonly<Record<string, CurrencyModel>> = {
  EUR: { volatility: 0.075, loadings: [0.75, 0.1, 0.5] },
  GBP: { volatility: 0.085, loadings: [0.65, 0.3, 0.3] },
  CHF: { volatility: 0.075, loadings: [0.7, -0.1, 0.5] },
  JPY: { volatility: 0.095, loadings: [0.55, -0.45, 0] },
  AUD: { volatility: 0.105, loadings: [0.6, 0.6, 0] },
  NZD: { volatility: 0.11, loadings: [0.6, 0.6, 0] },
  CAD: { volatility: 0.07, loadings: [0.5, 0.45, 0] },
};

const others: CurrencyModel = { volatility: 0.12, loadings: [0.3, 0.3, 0] };

export function currencyModel(currency: string): CurrencyModel {
  return majors[currency] ?? others;
}

/** The loading of a currency's own moves. */
export function ownShare({ loadings }: CurrencyModel): number {
  return Math.sqrt(1 - loadings.reduce((sum, loading) => sum + loading ** 2, 0));
}
