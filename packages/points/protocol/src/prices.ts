export interface PriceFeedEntry {
  /** Unix seconds. */
  readonly pricePublishTime: number;
  readonly priceDecimals: number;
  /** A decimal integer, scaled by `priceDecimals`; decimal even if the service's numeric strings are hexadecimal. */
  readonly price: string;
}

/** The answer of `/api/swap/price-feeds`, by token address. */
export type PriceFeeds = Readonly<Record<string, PriceFeedEntry>>;

/** The answer of `/price/<network>`. */
export interface Prices {
  /** By token address; unknown ones are left out. */
  readonly data: Readonly<Record<string, { readonly price: number }>>;
  /** Unix seconds. */
  readonly lastUpdateTimestamp: number;
}
