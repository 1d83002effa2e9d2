import { setTimeout as delay } from "node:timers/promises";
import { quantileOfSorted } from "../statistics.ts";
import { LoadConnection } from "./load-connection.ts";
import type { ProbeResult, ProbeSpec } from "./load-protocol.ts";

const ANSWER_MS = 10_000;

/** Latencies of a cheap request on a separate connection: they rise with the server's event-loop delay. */
export async function runProbe(spec: ProbeSpec): Promise<ProbeResult> {
  const latencies: number[] = [];
  let errors = 0;
  let answered = Promise.withResolvers<boolean>();
  const connection = new LoadConnection(0, spec.port, {
    onAnswer: ({ parser }) => answered.resolve(parser.status === 200),
    onFailure: () => answered.resolve(false),
  });
  await connection.opened();
  const request = Buffer.from(`GET ${spec.path} HTTP/1.1\r\nhost: 127.0.0.1:${spec.port}\r\n\r\n`);
  const end = performance.now() + spec.windowMs;
  while (performance.now() < end && errors === 0) {
    answered = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => answered.resolve(false), ANSWER_MS);
    connection.send(request, []);
    const wasGood = await answered.promise;
    clearTimeout(timer);
    if (wasGood) latencies.push(performance.now() - connection.sentAt);
    else errors++;
    await delay(spec.intervalMs);
  }
  connection.close();
  const sorted = Float64Array.from(latencies).sort();
  return {
    probes: sorted.length,
    errors,
    p50_ms: quantileOfSorted(sorted, 0.5),
    p99_ms: quantileOfSorted(sorted, 0.99),
    max_ms: quantileOfSorted(sorted, 1),
  };
}
