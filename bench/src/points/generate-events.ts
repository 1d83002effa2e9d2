import { createHash } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { seededRandom } from "../statistics.ts";
import { progress } from "../terminal/progress.ts";
import { PAIRS, POOLS } from "./program.ts";

/** Two for each address, so that every address causes at least one. */
const EVENTS_PER_ADDRESS = 2;
const SPAN_SECONDS = 30 * 24 * 60 * 60;
const CHUNK_EVENTS = 5000;
const PROGRESS_EVENTS = 500_000;

/**
 * Writes JSON Lines as an indexer would send them: ordered by time over the last thirty days, seven out of ten
 * swaps, the others positions in one of the pools. The same number and time give the same events.
 * @returns the number of events
 */
export async function generateEvents(
  file: string,
  addresses: number,
  now: number = Math.floor(Date.now() / 1000),
): Promise<number> {
  const random = seededRandom(addresses);
  const total = addresses * EVENTS_PER_ADDRESS;
  const output = createWriteStream(file);
  let chunk: string[] = [];
  for (let index = 0; index < total; index += 1) {
    const time = now - SPAN_SECONDS + Math.floor((index * SPAN_SECONDS) / total);
    chunk.push(eventLine(index, index % addresses, time, random));
    if ((index + 1) % PROGRESS_EVENTS === 0) progress(`${index + 1} of ${total} events generated`);
    if (chunk.length < CHUNK_EVENTS) continue;
    if (!output.write(chunk.join(""))) await once(output, "drain");
    chunk = [];
  }
  output.end(chunk.join(""));
  await finished(output);
  return total;
}

export function addressOf(index: number): string {
  return `0x${createHash("sha1").update(`address ${index}`).digest("hex")}`;
}

function eventLine(index: number, person: number, time: number, random: () => number): string {
  const id = createHash("md5").update(`event ${index}`).digest("hex");
  const common = { id, time, address: addressOf(person) };
  const kind = random();
  const amount = String(Math.floor(random() * 1e15)) + String(Math.floor(random() * 1e6));
  if (kind < 0.7) {
    const pair = PAIRS[Math.floor(random() * PAIRS.length)];
    const usdValue = String(Math.floor(random() ** 3 * 1e10));
    return line({ ...common, type: "swap", ...pair, usdValue });
  }
  const pool = POOLS[person % POOLS.length];
  const position = { ...common, pool, position: `position-${person}` };
  // Only of the second event, so that every address stays in the ranking.
  if (kind > 0.97 && index !== person) return line({ ...position, type: "position_closed" });
  return line({ ...position, type: "position_opened", liquidity: amount });
}

const line = (event: object): string => `${JSON.stringify(event)}\n`;
