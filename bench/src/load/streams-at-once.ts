import { median } from "../statistics.ts";
import { LoadConnection } from "./load-connection.ts";
import type { StreamsResult, StreamsSpec } from "./load-protocol.ts";
import { RequestWriter } from "./request-writer.ts";

const OPENED_TOGETHER = 100;

export async function runStreamsAtOnce(spec: StreamsSpec): Promise<StreamsResult> {
  const { target, streams, paceMs, maxMs } = spec;
  const done = Promise.withResolvers<void>();
  const firstBytes: number[] = [];
  let finished = 0;
  let cut = 0;
  let firstError: string | null = null;

  const settle = (reason: string | null): void => {
    if (reason === null) finished++;
    else {
      cut++;
      firstError ??= reason;
    }
    if (finished + cut === streams) done.resolve();
  };
  const onAnswer = (connection: LoadConnection): void => {
    const { status, bodyBytes } = connection.parser;
    firstBytes.push(connection.firstByteAt - connection.sentAt);
    if (status === 200 && bodyBytes === target.answerBytes) settle(null);
    else settle(`status ${status}, ${bodyBytes} bytes of ${target.answerBytes}`);
  };
  const onFailure = (connection: LoadConnection, reason: string): void => {
    if (connection.busy || connection.sentAt === 0) settle(reason);
  };

  const connections: LoadConnection[] = [];
  while (connections.length < streams) {
    const batch = Array.from(
      { length: Math.min(OPENED_TOGETHER, streams - connections.length) },
      (_, offset) =>
        new LoadConnection(connections.length + offset, target.port, { onAnswer, onFailure }),
    );
    connections.push(...batch);
    await Promise.allSettled(batch.map((connection) => connection.opened()));
  }

  const writer = new RequestWriter(target, "stream", paceMs, streams);
  const startedAt = performance.now();
  for (const connection of connections) if (!connection.failed) writer.send(connection);
  let atOnce = 0;
  const sampler = setInterval(() => {
    const begun = connections.filter((connection) => connection.busy && connection.firstByteAt > 0);
    atOnce = Math.max(atOnce, begun.length);
  }, 50);
  const timer = setTimeout(() => done.resolve(), maxMs);
  await done.promise;
  const seconds = (performance.now() - startedAt) / 1000;
  clearInterval(sampler);
  clearTimeout(timer);
  for (const connection of connections) connection.close();
  return {
    finished,
    cut: streams - finished,
    at_once: atOnce,
    seconds,
    first_byte_p50_ms: median(firstBytes),
    first_error: firstError,
  };
}
