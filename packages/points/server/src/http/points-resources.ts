import { type QuestDescription, type Ranking, rankingNames } from "@proj/points-client/wire";
import {
  badRequest,
  type Context,
  type Group,
  group,
  notFound,
  type Reply,
  type Resource,
  resource,
} from "@proj/resource-router";
import type { PointsStore } from "../points-store.ts";
import { isAddress } from "../program/address.ts";
import { NoSnapshotError } from "../snapshots/no-snapshot-error.ts";
import { freshReply } from "./fresh-reply.ts";
import { guarded } from "./guarded.ts";
import { askedEachTime, keptFor, keptForever, keptUntilNext } from "./kept-for.ts";
import { readPageQuery } from "./page-query.ts";
import { sharedJson } from "./shared-json.ts";

/**
 * Everything under the prefix except `/price`: docs/interfaces.md, "Points API".
 * @param priceMaxAge how many seconds price feeds may be cached
 */
export function pointsResources(store: PointsStore, priceMaxAge: number): (Resource | Group)[] {
  const { program } = store;
  const fresh = (context: Context, kept: string, value: unknown): Reply =>
    freshReply(context, kept, JSON.stringify(value));
  const untilNext = (snapshotTime: number): string =>
    keptUntilNext(snapshotTime, program.refreshTime);
  const requireAddress = (text: string): string => {
    // In rankings the API's word for no address; elsewhere an address that no user has.
    if (text === "null" || isAddress(program, text)) return text;
    throw badRequest(`'${text.slice(0, 140)}' is not an address. ${addressForm(program)}`);
  };

  const ranking = (name: Ranking): Resource =>
    resource(name, {
      find: guarded(async (context) => {
        const address = requireAddress(context.id);
        const query = readPageQuery(context.query, program.seasons);
        const page = await store.readPage({
          ...{ ranking: name, address: address === "null" ? null : address },
          ...query,
        });
        const kept = query.snapshot === undefined ? untilNext(page.time) : keptForever;
        const headers = {
          ...{ "x-snapshot": page.snapshot, "x-snapshot-time": String(page.time) },
          ...(page.userOffset !== null && { "x-user-offset": String(page.userOffset) }),
        };
        return freshReply(context, kept, page.body, headers, page.version);
      }),
    });

  const { questProvider, questProviderUrl } = program.quest;
  const description: QuestDescription = { questProvider, questProviderUrl };
  return [
    resource("config", {
      index: guarded(async (context) => {
        const config = await store.readConfig();
        const { lastSnapTimestamp: time } = config;
        return fresh(context, time === 0 ? askedEachTime : untilNext(time), config);
      }),
    }),
    resource("domain", {
      find: guarded(async (context) => {
        const address = await store.readOwner(context.id);
        if (address === null) throw notFound("No address has this domain.");
        return fresh(context, askedEachTime, { domain: context.id, address });
      }),
    }),
    resource("history", {
      find: guarded(async (context) => {
        const address = requireAddress(context.id);
        const snapshot = await store.readSnapshot();
        if (snapshot === null) throw new NoSnapshotError();
        return fresh(context, untilNext(snapshot.time), await store.readHistory(address));
      }),
    }),
    resource("seasons", {
      index: (context) => fresh(context, keptFor(program.refreshTime), program.seasons ?? []),
    }),
    group(program.network, rankingNames.map(ranking)),
    group("quest", [
      resource("address", {
        find: guarded(async (context) => {
          const address = requireAddress(context.id);
          const snapshot = await store.readSnapshot();
          if (snapshot === null) throw new NoSnapshotError();
          return fresh(context, untilNext(snapshot.time), await store.readQuest(address));
        }),
      }),
      resource("description", {
        index: (context) => fresh(context, keptFor(program.refreshTime), description),
      }),
    ]),
    group("swap", [
      resource("price-feeds", {
        index: guarded(async (context) => {
          const { body, version } = sharedJson(await store.readPriceFeeds());
          return freshReply(context, keptFor(priceMaxAge), body, {}, version);
        }),
      }),
    ]),
    resource("content-program", {
      find: guarded(async (context) =>
        fresh(context, askedEachTime, await store.readContent(requireAddress(context.id))),
      ),
    }),
  ];
}

function addressForm({ addressPattern }: PointsStore["program"]): string {
  const form = "An address has 1 to 128 characters of A-Z a-z 0-9 . _ -";
  return addressPattern === undefined ? `${form}.` : `${form} and matches ${addressPattern}.`;
}
