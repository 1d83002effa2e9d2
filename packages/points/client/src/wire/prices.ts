import type { PriceFeeds, Prices } from "@proj/points-protocol";
import type { MemberReader } from "../reading/member-reader.ts";

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
