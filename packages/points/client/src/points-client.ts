import { ApiError, type HttpClientOptions } from "@proj/http-client";
import { ask, type CallOptions, type Question, shownUrl } from "./calls/ask.ts";
import { EtagCache } from "./calls/etag-cache.ts";
import { openService, type ServiceAddress } from "./calls/service.ts";
import { SnapshotGoneError } from "./errors/snapshot-gone-error.ts";
import type { LeaderboardPage, LeaderboardQuery, WholeRankingOptions } from "./leaderboard-page.ts";
import { type FormatOptions, formattedText } from "./numbers/formatted-text.ts";
import { type NumberForm, numericToBigInt } from "./numbers/numeric-string.ts";
import { scaledText } from "./numbers/scaled-text.ts";
import { rankingPages } from "./ranking-pages.ts";
import { MemberReader, readList } from "./reading/member-reader.ts";
import { readContentEntry } from "./wire/content-program.ts";
import { readHistoryEntry } from "./wire/history.ts";
import { readPointsConfig } from "./wire/points-config.ts";
import { readPriceFeeds, readPrices } from "./wire/prices.ts";
import { readQuestDescription, readQuestState } from "./wire/quest.ts";
import { readLeaderboard } from "./wire/ranking.ts";
import { readSeason } from "./wire/season.ts";
import type {
  ContentProgramEntry,
  HistoryEntry,
  PointsConfig,
  PriceFeeds,
  Prices,
  QuestDescription,
  QuestState,
  Ranking,
  RecordOf,
  Season,
} from "./wire.ts";

export interface PointsClientOptions extends ServiceAddress, Omit<HttpClientOptions, "baseUrl"> {
  readonly network: string;
  /** A second service, asked if the first one fails. @default none */
  readonly fallback?: ServiceAddress | undefined;
  /** How the service writes numeric strings. @default "decimal" */
  readonly numbers?: NumberForm | undefined;
  /** How many answers are cached and revalidated by ETag; 0: none. @default 256 */
  readonly cacheEntries?: number | undefined;
}

/** Reads are retried when that may help. All methods throw HttpError, FallbackError or the signal's reason. */
export interface PointsClient extends Disposable {
  config(options?: CallOptions): Promise<PointsConfig>;
  /** @throws SnapshotGoneError the query's `snapshot` is no longer kept */
  leaderboard<R extends Ranking>(ranking: R, query?: LeaderboardQuery): Promise<LeaderboardPage<R>>;
  /**
   * A whole ranking, page by page, from one snapshot.
   * @throws SnapshotGoneError it is no longer kept; the pages so far belong to an older ranking
   */
  rankingPages<R extends Ranking>(
    ranking: R,
    options?: WholeRankingOptions,
  ): AsyncGenerator<LeaderboardPage<R>, void, undefined>;
  /** The same, record by record. */
  ranking<R extends Ranking>(
    ranking: R,
    options?: WholeRankingOptions,
  ): AsyncGenerator<RecordOf[R], void, undefined>;
  /** Periods with separate rankings. @throws ApiError with 404: the service has none */
  seasons(options?: CallOptions): Promise<readonly Season[]>;
  /** By day, oldest first; the last entry is the current one. @throws ApiError with 404: the service has none */
  history(address: string, options?: CallOptions): Promise<readonly HistoryEntry[]>;
  quest(address: string, options?: CallOptions): Promise<QuestState>;
  questDescription(options?: CallOptions): Promise<QuestDescription>;
  contentProgram(address: string, options?: CallOptions): Promise<readonly ContentProgramEntry[]>;
  priceFeeds(options?: CallOptions): Promise<PriceFeeds>;
  /** @param tokens addresses; all prices if absent */
  prices(tokens?: readonly string[], options?: CallOptions): Promise<Prices>;
  /** The exact value of one of the service's numeric strings. @throws NumericStringError */
  integer(numeric: string): bigint;
  /** The value as a decimal number: "1500000" with 6 decimals is "1.5". @throws NumericStringError */
  scaled(numeric: string, decimals: number): string;
  /** The value formatted for people: grouped or compact, rounded down. @throws NumericStringError RangeError */
  formatted(numeric: string, decimals: number, options?: FormatOptions): string;
  /** Aborts pending calls, and closes every connection. */
  close(): void;
}

/** @throws TypeError a URL, a prefix or the network is invalid */
export function createPointsClient(options: PointsClientOptions): PointsClient {
  const { baseUrl, prefix, priceUrl, network, fallback, numbers = "decimal", ...rest } = options;
  const { cacheEntries = 256, ...http } = rest;
  const inNetwork = segment("network", network);
  const cache = new EtagCache(cacheEntries);
  const first = openService({ baseUrl, prefix, priceUrl }, http);
  const second = fallback
    ? openService({ ...fallback, prefix: fallback.prefix ?? "points" }, http)
    : null;

  const get = <T>(
    path: string,
    read: Question<T>["read"],
    call?: CallOptions,
    more: Partial<Question<T>> = {},
  ): Promise<T> => ask([first, second], { of: "points", path, cache, read, ...more }, call);
  const members =
    <T>(read: (answer: MemberReader) => T) =>
    (body: unknown): T =>
      read(new MemberReader(body, numbers));

  const leaderboard = async <R extends Ranking>(
    ranking: R,
    { address, offset, size, snapshot, season, ...call }: LeaderboardQuery = {},
    more: Partial<Question<LeaderboardPage<R>>> = {},
  ): Promise<LeaderboardPage<R>> => {
    const user = address === undefined ? "null" : segment("address", address);
    const read: Question<LeaderboardPage<R>>["read"] = (body, headers) => {
      const { "x-snapshot": given = null } = headers;
      if (snapshot !== undefined && given !== snapshot)
        throw new TypeError(`it is from snapshot '${given}' instead of '${snapshot}'`);
      const page = readLeaderboard(ranking, new MemberReader(body, numbers));
      const { user } = page;
      const before = Number(headers["x-user-offset"] ?? (user?.rank ?? 0) - 1);
      return { ...page, snapshot: given, userOffset: user === null ? null : before };
    };
    const asked = { query: { offset, size, snapshot, season }, ...more };
    return get(`/${inNetwork}/${ranking}/${user}`, read, call, asked).catch((error: unknown) => {
      const isGone = error instanceof ApiError && error.status === 410 && snapshot !== undefined;
      throw isGone ? new SnapshotGoneError(snapshot, { cause: error }) : error;
    });
  };

  // Pages are read once; caching them would evict everything else.
  const pages: PointsClient["rankingPages"] = (ranking, whole = {}) => {
    const url = `${shownUrl(first.points.baseUrl)}${first.prefix}/${inNetwork}/${ranking}`;
    const readPage = (query: LeaderboardQuery) => leaderboard(ranking, query, { cache: null });
    return rankingPages(readPage, { method: "GET", url }, whole);
  };

  const close = (): void => {
    first.close();
    second?.close();
  };
  return {
    config: (call) => get("/config", members(readPointsConfig), call),
    leaderboard: (ranking, query) => leaderboard(ranking, query),
    rankingPages: pages,
    ranking: async function* (ranking, whole) {
      for await (const page of pages(ranking, whole)) yield* page.leaderboard;
    },
    seasons: (call) => get("/seasons", (body) => readList(body, numbers, "", readSeason), call),
    history: async (address, call) => {
      const read = (body: unknown) => readList(body, numbers, "", readHistoryEntry);
      return get(`/history/${segment("address", address)}`, read, call);
    },
    quest: async (address, call) =>
      get(`/quest/address/${segment("address", address)}`, members(readQuestState), call),
    questDescription: (call) => get("/quest/description", members(readQuestDescription), call),
    contentProgram: async (address, call) => {
      // Some services write null for an address without entries.
      const read = (body: unknown) => readList(body ?? [], numbers, "", readContentEntry);
      return get(`/content-program/${segment("address", address)}`, read, call);
    },
    priceFeeds: (call) => get("/swap/price-feeds", members(readPriceFeeds), call),
    prices: async (tokens, call) => {
      // A request without an address would return all prices.
      if (tokens?.length === 0) return { data: {}, lastUpdateTimestamp: 0 };
      const more = { of: "prices", query: { address: tokens } } as const;
      return get(`/price/${inNetwork}`, members(readPrices), call, more);
    },
    integer: (numeric) => numericToBigInt(numeric, numbers),
    scaled: (numeric, decimals) => scaledText(numericToBigInt(numeric, numbers), decimals),
    formatted: (numeric, decimals, format) =>
      formattedText(numericToBigInt(numeric, numbers), decimals, format),
    close,
    [Symbol.dispose]: close,
  };
}

/** @throws TypeError the value cannot be in a path: URL parsers resolve `.` and `..` */
function segment(name: string, value: string): string {
  if (/^\.{0,2}$/.test(value) || !value.isWellFormed())
    throw new TypeError(`${name} cannot be ${JSON.stringify(value)}`);
  return encodeURIComponent(value);
}
