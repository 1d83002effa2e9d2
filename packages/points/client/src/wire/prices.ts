import type { MemberReader } from "../reading/member-reader.ts";

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

export const readPriceFeeds = (answer: MemberReader): PriceFeeds =>
  answer.map((feed) => ({
    pricePublishTime: feed.integer("pricePublishTime"),
    priceDecimals: feed.integer("priceDecimals"),
    price: feed.decimal("price"),
  }));

export const readPrices = (answer: MemberReader): Prices => ({
  data: answer.object("data").map((token) => ({ price: token.number("price") })),
  lastUpdateTimestamp: answer.integer("lastUpdateTimestamp"),
});
