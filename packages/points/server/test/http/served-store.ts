import { createServer } from "node:http";
import {
  type Operations,
  openPointsStore,
  type PointsEvent,
  type PointsListenerOptions,
  type PointsStore,
  type Program,
  pointsListener,
} from "@proj/points-server";
import { listen } from "@proj/test-kit";
import { Webhook } from "standardwebhooks";
import { buildSnapshots } from "../../src/snapshots/build-snapshots.ts";
import { openLedger } from "../storage/open-ledger.ts";
import { type DatabaseName, temporaryStorage } from "../storage/temporary-storage.ts";

export const now: number = Math.floor(Date.now() / 1_000);

export const program: Program = {
  network: "main",
  refreshTime: 45,
  pointsDecimal: 6,
  pointsPerUsd: "1000000",
  swapMultiplier: "1000000",
  swapPairs: [{ tokenX: "X", tokenY: "Y" }],
  promotedPools: [
    { address: "pool", pointsPerSecond: "1000000", startCountTimestamp: String(now - 1_000) },
  ],
  quest: {
    threshold: "5000000",
    questProvider: "Quests",
    questProviderUrl: "https://quests.example/",
  },
};

/** A swap an hour ago that earns this many points. */
export const swap = (address: string, points: number | bigint): PointsEvent => ({
  ...{ id: `swap-${address}-${points}`, type: "swap", time: now - 3_600, address },
  ...{ tokenX: "X", tokenY: "Y", usdValue: String(BigInt(points) * 1_000_000n) },
});

export interface ServedStore extends AsyncDisposable {
  readonly url: string;
  readonly store: PointsStore;
  readonly operations: Operations | undefined;
  /** The errors behind answers with status 500. */
  readonly errors: readonly unknown[];
  /** Requests a path of the server. */
  readonly ask: (path: string, init?: RequestInit) => Promise<Response>;
}

export interface ServeOptions extends Omit<Partial<PointsListenerOptions>, "store" | "operations"> {
  readonly operations?: (store: PointsStore) => Operations;
  readonly program?: Partial<Program>;
  /** @default "sqlite" */
  readonly database?: DatabaseName;
  /** Unix seconds: times of snapshots to build, in this order. @default none */
  readonly earlier?: readonly number[];
}

/** A real store with a snapshot of these events, served on a free port. */
export async function serveStore(
  events: readonly PointsEvent[] = [],
  { database = "sqlite", operations: operate, earlier = [], ...options }: ServeOptions = {},
): Promise<ServedStore> {
  const storage = await temporaryStorage(database);
  if (earlier.length > 0) {
    const ledger = await openLedger(database, storage);
    await ledger.append(events);
    const { signal } = new AbortController();
    for (const time of earlier)
      await buildSnapshots(ledger.database, { ...program, ...options.program }, { signal, time });
    await ledger.database.close();
  }
  const store = await openPointsStore({
    db_url: storage.db_url,
    program: { ...program, ...options.program },
    synchronous: "normal",
    jobNiceness: 0,
  });
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  let operations: Operations | undefined;
  const server = createServer();
  const listening = await listen(server);
  const dispose = async (): Promise<void> => {
    await listening.close();
    await store.close();
    await storage[Symbol.asyncDispose]();
  };
  try {
    operations = operate?.(store);
    server.on("request", pointsListener({ onError, ...options, store, operations }));
    if (events.length > 0) {
      await store.ingest(events);
      await store.buildSnapshot();
    }
  } catch (error) {
    await dispose();
    throw error;
  }
  const { url } = listening;
  const ask = (path: string, init: RequestInit = {}) => fetch(url + path, init);
  return { url, store, operations, errors, ask, [Symbol.asyncDispose]: dispose };
}

/** The same on one of the databases. */
export const servingOn =
  (database: DatabaseName): typeof serveStore =>
  (events, options) =>
    serveStore(events, { ...options, database });

export const secret: string = `whsec_${Buffer.from("a secret of thirty-two characters").toString("base64")}`;

interface SignOptions {
  readonly key?: string;
  readonly time?: Date;
  readonly id?: string;
}

/** A POST that is signed as Standard Webhooks say. */
export function signed(
  body: string,
  { key = secret, time = new Date(), id = "m1" }: SignOptions = {},
): { readonly method: "POST"; readonly body: string; readonly headers: Record<string, string> } {
  return {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(time.getTime() / 1_000)),
      "webhook-signature": new Webhook(key).sign(id, time, body),
    },
  };
}

/** The problem document, after checking what all of them have in common. */
export async function problemOf(response: Response): Promise<{ status: number; detail: string }> {
  const { headers, status } = response;
  const document = (await response.json()) as { status: number; title: string; detail: string };
  const fields = [
    headers.get("content-type"),
    headers.get("cache-control"),
    headers.get("access-control-allow-origin"),
  ];
  const expected = ["application/problem+json", "no-store", "*"];
  if (fields.join() !== expected.join() || document.status !== status)
    throw new Error(`no problem document: ${status} ${fields} ${JSON.stringify(document)}`);
  return document;
}
