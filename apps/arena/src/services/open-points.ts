import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createPointsClient } from "@proj/points-client";
import { openPointsStore, parseProgram, pointsListener } from "@proj/points-server";
import { Webhook } from "standardwebhooks";
import { isIdle, type Standing } from "../scoring/standing.ts";
import type { Services } from "./services.ts";

const network = "arena";
const [tokenX, tokenY] = ["RETURN", "DRAWDOWN"];
const pushTimeoutMs = 60_000;
/** Points for a reward of 0; the worst reward, -2, gets none. */
const pointsForZero = 1000;

/** Only the arena's own pairs earn points: one per dollar. */
const program = {
  ...{ network, refreshTime: 3600, pointsDecimal: 6 },
  ...{ pointsPerUsd: "1000000", swapMultiplier: "1000000" },
  swapPairs: [{ tokenX, tokenY }],
  promotedPools: [],
  quest: { threshold: "0", questProvider: "The arena", questProviderUrl: "https://example.com/" },
};

export interface ArenaPoints {
  /** Of the server, which serves a page. */
  readonly url: string;
  /**
   * Pushes each trader's points and computes the ranking.
   * @returns the traders of all arenas so far, most points first
   */
  push(job_id: string, standings: readonly Standing[]): Promise<readonly string[]>;
}

/** Opens a points server whose ranking accumulates over all arenas in a folder. */
export async function openPoints(services: Services, folder: string): Promise<ArenaPoints> {
  const db_url = `sqlite://${join(folder, "points.db")}`;
  const store = await openPointsStore({ db_url, program: parseProgram(program) });
  services.add(store, (opened) => opened.close());
  await store.buildSnapshot();
  const ingest_secret = `whsec_${randomBytes(32).toString("base64")}`;
  const server = createServer(pointsListener({ store, ingest_secret, page_rankings: [] })).listen(
    0,
    "127.0.0.1",
  );
  await once(server, "listening");
  services.add(server, async () => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = services.add(createPointsClient({ baseUrl: url, network }), async (opened) =>
    opened.close(),
  );
  return {
    url,
    push: async (job_id, standings) => {
      await send(`${url}/ingest`, ingest_secret, job_id, eventsOf(job_id, standings));
      await store.buildSnapshot();
      const { leaderboard } = await client.leaderboard("total", { size: 1000 });
      return leaderboard.map(({ address }) => address);
    },
  };
}

function eventsOf(job_id: string, standings: readonly Standing[]): readonly object[] {
  const time = Math.floor(Date.now() / 1000);
  return standings.flatMap((standing) => {
    const { trader: address, reward } = standing;
    // Doing nothing earns nothing.
    const points = reward === null || isIdle(standing) ? 0 : pointsForZero * (1 + reward / 2);
    const usdValue = String(Math.max(0, Math.floor(points * 1e6)));
    return [{ id: `${job_id}:${address}`, type: "swap", time, address, tokenX, tokenY, usdValue }];
  });
}

async function send(
  url: string,
  secret: string,
  id: string,
  events: readonly object[],
): Promise<void> {
  const body = JSON.stringify(events);
  const now = new Date();
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
      "webhook-signature": new Webhook(secret).sign(id, now, body),
    },
    body,
    signal: AbortSignal.timeout(pushTimeoutMs),
  });
  if (!response.ok)
    throw new Error(
      `the points server did not accept the ranking: ${response.status} ${await response.text()}`,
    );
}
