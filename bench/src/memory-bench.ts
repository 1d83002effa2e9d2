import { setTimeout as delay } from "node:timers/promises";
import { LoadGenerator } from "./load/load-generator.ts";
import type { BodyName } from "./load/load-protocol.ts";
import { prepareMachine } from "./machine/prepare-machine.ts";
import { writeResults } from "./results.ts";
import { askInside, insideContext } from "./servers/ask-inside.ts";
import { gatewayBoundRow } from "./servers/gateway-rows.ts";
import { startServers } from "./servers/server-set.ts";
import { startUpstream } from "./servers/upstream-row.ts";
import { progress, verdict } from "./terminal/progress.ts";
import { textTable } from "./terminal/text-table.ts";

/** The most by which memory may grow after the first minute. */
const BOUND = 1.15;
const CONNECTIONS = 64;
const MINUTE_MS = 60_000;
const RAMP_MS = 100;
/** Time for rows and log lines that are still being written when the load pauses. */
const SETTLE_MS = 2000;

interface MinuteRecord {
  readonly rss_mb: number;
  readonly requests_per_second: number;
  readonly errors: number;
  readonly first_error: string | null;
}

/** The bound gateway's memory after a forced collection, minute by minute. */
export async function runMemoryBench(
  minutes: number,
  body: BodyName,
  force: boolean,
): Promise<number> {
  const machine = await prepareMachine(force);
  if (machine === null) return 2;
  const { cores } = machine;
  const upstream = await startUpstream(cores.upstream);
  const load = await LoadGenerator.start(cores.load);
  const context = { upstream, cores: cores.server, ...insideContext(true) };
  const servers = await startServers([gatewayBoundRow], context, body, (name, reason) => {
    throw new Error(`${name} did not start: ${reason}`);
  });
  const records: MinuteRecord[] = [];
  try {
    for (const { target } of servers.started) {
      while (records.length < minutes) {
        const windowMs = MINUTE_MS - RAMP_MS;
        const round = { target, body, connections: CONNECTIONS, rampMs: RAMP_MS, windowMs };
        const { requests_per_second, errors, first_error } = await load.round(round);
        await delay(SETTLE_MS);
        const { rss_mb } = await askInside(target.pid);
        records.push({ rss_mb, requests_per_second, errors, first_error });
        progress(
          `minute ${records.length}: ${rss_mb.toFixed(0)} MB, ${requests_per_second.toFixed(0)}/s`,
        );
      }
    }
  } finally {
    await Promise.all([servers.stop(), load.stop(), upstream.stop()]);
  }
  writeResults("memory", { machine: machine.description, body, records }, null);
  return tell(records) ? 0 : 1;
}

function tell(records: readonly MinuteRecord[]): boolean {
  const rows = records.map(({ rss_mb, requests_per_second, errors, first_error }, index) => [
    String(index + 1),
    rss_mb.toFixed(0),
    requests_per_second.toFixed(0),
    errors === 0 ? "0" : `${errors}: ${first_error}`,
  ]);
  console.log(`\n${textTable(["minute", "MB after collection", "requests/s", "errors"], rows)}`);
  const growth = (records.at(-1)?.rss_mb ?? Number.NaN) / (records[0]?.rss_mb ?? Number.NaN);
  const passed = growth <= BOUND && records.every(({ errors }) => errors === 0);
  console.log(`\nlast to first minute: ${growth.toFixed(2)} (<= ${BOUND}): ${verdict(passed)}`);
  return passed;
}
