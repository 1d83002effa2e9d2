import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openArena } from "@proj/trading-arena";

const folder = await mkdtemp(join(tmpdir(), "arena-"));
const arena = await openArena({ folder, traders: 2, rounds: 3, seed: 7 });
const { standings } = await arena.run();
for (const { rank, trader, reward } of standings) console.log(rank, trader, reward);
assert.equal(standings.length, 2);

await arena.close();
await rm(folder, { recursive: true });
