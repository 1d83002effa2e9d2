/** A child process of the bench: requests users and pages in a closed loop between its start and stop commands. */
import { setTimeout as delay } from "node:timers/promises";
import { LoadConnection } from "../load/load-connection.ts";
import { cpuMicroseconds } from "../machine/process-figures.ts";
import { quantileOfSorted } from "../statistics.ts";
import type { LoadCommand, PointsRound } from "./points-protocol.ts";
import { PAGE_SIZE, pagePaths } from "./requests.ts";

const PATHS = 20_000;
/** Warm-up before the measurement. */
const RAMP_MS = 1000;
/** A record has at least its members' names and an address of 42 characters. */
const LEAST_BODY_BYTES = PAGE_SIZE * 100;

type Start = Extract<LoadCommand, { kind: "start" }>;

/** @returns a function that ends it */
async function startLoad({ port, pid, connections, addresses }: Start): Promise<() => PointsRound> {
  const requests = pagePaths(PATHS, addresses).map((path) =>
    Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: application/json\r\n\r\n`),
  );
  const latencies: number[] = [];
  let measuring = false;
  let errors = 0;
  let next = 0;
  const send = (connection: LoadConnection): void => {
    const request = requests[next++ % PATHS];
    if (request !== undefined) connection.send(request, []);
  };
  const onAnswer = (connection: LoadConnection): void => {
    const { status, bodyBytes } = connection.parser;
    if (status !== 200 || bodyBytes < LEAST_BODY_BYTES) errors++;
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
  return () => {
    measuring = false;
    const [cpu, elapsedMs] = [cpuMicroseconds(pid) - cpuBefore, performance.now() - startedAt];
    for (const connection of opened) connection.close();
    const sorted = Float64Array.from(latencies).sort();
    return {
      requests_per_second: (sorted.length * 1000) / elapsedMs,
      p50_ms: quantileOfSorted(sorted, 0.5),
      p99_ms: quantileOfSorted(sorted, 0.99),
      longest_ms: sorted.at(-1) ?? Number.NaN,
      answers: sorted.length,
      busy: cpu / (elapsedMs * 1000),
      errors,
    };
  };
}

let stop: (() => PointsRound) | null = null;
process.on("message", async (message) => {
  const command = message as LoadCommand;
  if (command.kind === "start") {
    stop = await startLoad(command);
    process.send?.({ started: true });
  } else {
    process.send?.({ round: stop?.() });
  }
});
process.on("disconnect", () => process.exit());
process.send?.({ ready: true });
