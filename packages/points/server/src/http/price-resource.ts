import { badRequest, type Resource, resource } from "@proj/resource-router";
import type { PointsStore } from "../points-store.ts";
import { isPlainAddress } from "../program/address.ts";
import { freshReply } from "./fresh-reply.ts";
import { guarded } from "./guarded.ts";
import { keptFor } from "./kept-for.ts";
import { otherNetwork } from "./other-network.ts";
import { sharedJson } from "./shared-json.ts";

/**
 * `/price/<network>?address=…`; all prices without an address.
 * @param maxAge how many seconds an answer may be cached
 */
export function priceResource(store: PointsStore, maxAge: number): Resource {
  const { network } = store.program;
  return resource("price", {
    find: guarded(async (context) => {
      if (context.id !== network) throw otherNetwork(context.id, network);
      const tokens = context.query.getAll("address");
      const wrong = tokens.find((token) => !isPlainAddress(token));
      if (wrong !== undefined)
        throw badRequest(
          `'${wrong.slice(0, 140)}' is not a token's address: 1 to 128 characters of A-Z a-z 0-9 . _ -`,
        );
      const prices = await store.readPrices(tokens.length === 0 ? undefined : tokens);
      const { body, version } = sharedJson(prices);
      return freshReply(context, keptFor(maxAge), body, {}, version);
    }),
  });
}
