import { setTimeout as delay } from "node:timers/promises";
import { cpuMicroseconds } from "../machine/process-figures.ts";
import { quantileOfSorted } from "../statistics.ts";
import { LoadConnection } from "./load-connection.ts";
import type { PathsResult, PathsSpec } from "./load-protocol.ts";

/**
 * Asks for paths in a closed loop, and measures from the end of the ramp on.
 * @returns a function that ends it
 */
export async function loopOverPaths(loop: PathsSpec): Promise<() => PathsResult> {
  const { port, pid, connections, rampMs, paths, minBodyBytes } = loop;
  const requests = paths.map((path) =>
    Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: application/json\r\n\r\n`),
  );
  const latencies: number[] = [];
  let measuring = false;
  let errors = 0;
  let next = 0;
  const send = (connection: LoadConnection): void => {
    const request = requests[next++ % requests.length];
    if (request !== undefined) connection.send(request, []);
  };
  const onAnswer = (connection: LoadConnection): void => {
    const { status, bodyBytes } = connection.parser;
    if (status !== 200 || bodyBytes < minBodyBytes) errors++;
    if (measuring) latencies.push(performance.now() - connection.sentAt);
    send(connection);
  };
  const opened = Array.from(
    { length: connections },
    (_, index) => new LoadConnection(index, port, { onAnswer, onFailure: () => errors++ }),
  );
  await Promise.all(opened.map((connection) => connection.opened()));
  for (const connection of opened) send(connection);
  await delay(rampMs);
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
      cpu_us_per_request: cpu / sorted.length,
      busy: cpu / (elapsedMs * 1000),
      errors,
    };
  };
}
