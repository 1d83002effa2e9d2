import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { createPointsClient } from "@proj/points-client";

// Plays the service, with two addresses in its ranking.
const ranking = ["90071992547409930000", "1500000"].map((points, index) => {
  const address = `address-${index + 1}`;
  const parts = { lpPoints: "0", swapPoints: points };
  return { address, points, last24hPoints: "0", rank: index + 1, ...parts };
});
const server = createServer((req, res) => {
  const offset = Number(new URL(req.url ?? "", "http://x").searchParams.get("offset"));
  const leaderboard = ranking.slice(offset, offset + 1);
  res.writeHead(200, { "content-type": "application/json", "x-snapshot": "7" });
  res.end(JSON.stringify({ user: ranking[1], leaderboard, totalItems: ranking.length }));
}).listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
assert(typeof address === "object" && address !== null);

const client = createPointsClient({
  baseUrl: `http://127.0.0.1:${address.port}`,
  network: "main",
});

const { user, totalItems } = await client.leaderboard("total", { address: "address-2", size: 1 });
assert.equal(totalItems, 2);
assert.equal(user?.points, "1500000");
assert.equal(client.scaled(user.points, 6), "1.5");

// The whole ranking, page by page, from one snapshot.
let sum = 0n;
for await (const { points } of client.ranking("total")) sum += client.integer(points);
assert.equal(sum, 90071992547411430000n);

client.close();
server.close();
