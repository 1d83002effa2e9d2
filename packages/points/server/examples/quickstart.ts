import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPointsClient } from "@proj/points-client";
import { openPointsStore, parseProgram, pointsListener, startSnapshots } from "@proj/points-server";

const folder = await mkdtemp(join(tmpdir(), "points-"));
const program = parseProgram({
  network: "main",
  refreshTime: 60,
  pointsDecimal: 6,
  pointsPerUsd: "1000000",
  swapMultiplier: "1500000",
  swapPairs: [{ tokenX: "SOL", tokenY: "USDC" }],
  promotedPools: [],
  quest: {
    threshold: "1000000",
    questProvider: "Quests",
    questProviderUrl: "https://example.com/",
  },
});
const store = await openPointsStore({ db_url: `sqlite://${join(folder, "points.db")}`, program });

// A swap of two dollars: two points, times the multiplier of 1.5.
const time = Math.floor(Date.now() / 1000);
const about = { type: "swap", time, address: "alice", tokenX: "SOL", tokenY: "USDC" };
const report = await store.ingest([{ id: "swap-1", ...about, usdValue: "2000000" }]);
assert.equal(report.stored, 1);

// Computes the rankings now, and every 60 seconds from now on.
const counted = Promise.withResolvers<unknown>();
const snapshots = startSnapshots(store, { onSnapshot: counted.resolve, onError: counted.reject });
await counted.promise;

const server = createServer(pointsListener({ store })).listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
assert(typeof address === "object" && address !== null);

const client = createPointsClient({ baseUrl: `http://127.0.0.1:${address.port}`, network: "main" });
const { user } = await client.leaderboard("total", { address: "alice" });
assert.equal(user?.rank, 1);
assert.equal(client.scaled(user.points, program.pointsDecimal), "3");

client.close();
server.close();
await snapshots.stop();
await store.close();
await rm(folder, { recursive: true });
