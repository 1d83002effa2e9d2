import type { QuestDescription, Ranking } from "@proj/points-client";
import {
  badRequest,
  type Context,
  type Group,
  group,
  type Reply,
  type Resource,
  resource,
} from "@proj/resource-router";
import type { PointsStore } from "../points-store.ts";
import { isAddress } from "../program/address.ts";
import { freshReply } from "./fresh-reply.ts";
import { guarded } from "./guarded.ts";
import { readPageQuery } from "./page-query.ts";

/** What stands under the prefix: the specification's "Points API" but for prices. */
export function pointsResources(store: PointsStore): (Resource | Group)[] {
  const { program } = store;
  const fresh = (context: Context, value: unknown): Reply =>
    freshReply(context, program.refreshTime, JSON.stringify(value));
  const requireAddress = (text: string): string => {
    // A word of the wire for rankings; elsewhere it is an address that nobody has.
    if (text === "null" || isAddress(program, text)) return text;
    throw badRequest(`'${text.slice(0, 140)}' is no address. ${addressForm(program)}`);
  };

  const ranking = (name: Ranking): Resource =>
    resource(name, {
      find: guarded(async (context) => {
        const address = requireAddress(context.id);
        const { snapshot, body, version } = await store.readPage({
          ...{ ranking: name, address: address === "null" ? null : address },
          ...readPageQuery(context.query),
        });
        const headers = snapshot === null ? {} : { "x-snapshot": snapshot };
        return freshReply(context, program.refreshTime, body, headers, version);
      }),
    });

  const { questProvider, questProviderUrl } = program.quest;
  const description: QuestDescription = { questProvider, questProviderUrl };
  return [
    resource("config", {
      index: guarded(async (context) => fresh(context, await store.readConfig())),
    }),
    group(program.network, [ranking("total"), ranking("lp"), ranking("swaps")]),
    group("quest", [
      resource("address", {
        find: guarded(async (context) =>
          fresh(context, await store.readQuest(requireAddress(context.id))),
        ),
      }),
      resource("description", { index: (context) => fresh(context, description) }),
    ]),
    group("swap", [
      resource("price-feeds", {
        index: guarded(async (context) => fresh(context, await store.readPriceFeeds())),
      }),
    ]),
    resource("content-program", {
      find: guarded(async (context) =>
        fresh(context, await store.readContent(requireAddress(context.id))),
      ),
    }),
  ];
}

function addressForm({ addressPattern }: PointsStore["program"]): string {
  const form = "An address has 1 to 128 characters of A-Z a-z 0-9 . _ -";
  return addressPattern === undefined ? `${form}.` : `${form} and matches ${addressPattern}.`;
}
