/** A child process of the bench: sends this measurement's paths in a closed loop, one round at a time. */
import { setTimeout as delay } from "node:timers/promises";
import { LoadConnection } from "../load/load-connection.ts";
import { cpuMicroseconds } from "../machine/process-figures.ts";
import { quantileOfSorted } from "../statistics.ts";
import { hitPaths } from "./routes.ts";
import type { RoutingRound, RoutingRoundSpec } from "./routing-round.ts";

const PATHS = 240;
/** Time before the measured window. */
const RAMP_MS = 100;

const requests = hitPaths(PATHS).map((path) =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: application/json\r\n\r\n`),
);

async function runRound({
  port,
  pid,
  connections,
  windowMs,
}: RoutingRoundSpec): Promise<RoutingRound> {
  const latencies: number[] = [];
  let measuring = false;
  let errors = 0;
  let bodyBytes = -1;
  let next = 0;
  const send = (connection: LoadConnection): void => {
    const request = requests[next++ % PATHS];
    if (request !== undefined) connection.send(request, []);
  };
  const onAnswer = (connection: LoadConnection): void => {
    const { status, bodyBytes: bytes } = connection.parser;
    if (bodyBytes < 0) bodyBytes = bytes;
    if (status !== 200 || bytes !== bodyBytes) errors++;
    if (measuring) latencies.push(performance.now() - connection.sentAt);
    send(connection);
  };
  const opened = Array.from(
    { length: connections },
    (_, index) => new LoadConnection(index, port, { onAnswer, onFailure: () => errors++ }),
  );
  await Promise.all(opened.map((connection) => connection.opened()));
  for (const connection of opened) send(connection);
  await delay(RAMP_MS);
  const [cpuBefore, startedAt] = [cpuMicroseconds(pid), performance.now()];
  measuring = true;
  await delay(windowMs);
  measuring = false;
  const [cpu, elapsedMs] = [cpuMicroseconds(pid) - cpuBefore, performance.now() - startedAt];
  for (const connection of opened) connection.close();
  const sorted = Float64Array.from(latencies).sort();
  return {
    requests_per_second: (sorted.length * 1000) / elapsedMs,
    p50_ms: quantileOfSorted(sorted, 0.5),
    p99_ms: quantileOfSorted(sorted, 0.99),
    cpu_us_per_request: cpu / sorted.length,
    busy: cpu / (elapsedMs * 1000),
    errors,
  };
}

process.on("message", async (message) => {
  process.send?.({ round: await runRound(message as RoutingRoundSpec) });
});
process.on("disconnect", () => process.exit());
process.send?.({ ready: true });
