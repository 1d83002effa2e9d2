import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseConfig } from "@proj/gateway-protocol";
import { endpointsByName, readRequestBody } from "@proj/model-apis";
import { createTimeOrderedId, openStore } from "@proj/session-store";
import { AnswerDecoder } from "../src/answer-reading/answer-decoder.ts";
import { readAnswer } from "../src/answer-reading/read-answer.ts";
import { Answer, type AnswerBody } from "../src/call/answer.ts";
import { BodyMemory, BufferedBytes } from "../src/call/body-memory.ts";
import { Cancellation } from "../src/call/cancellation.ts";
import { happened } from "../src/call/once.ts";
import { compose, type Handler, type Stage } from "../src/call/stage.ts";
import { startTimings } from "../src/call/timings.ts";
import { createMetrics } from "../src/metrics/metrics.ts";
import { countCall } from "../src/pipeline/count-call.ts";
import { limitRoute } from "../src/pipeline/limit-route.ts";
import { logRequest, observeCall } from "../src/pipeline/observe-call.ts";
import { openSession } from "../src/pipeline/open-session.ts";
import { recordFailure } from "../src/pipeline/record-failure.ts";
import { replayRecord } from "../src/pipeline/replay-record.ts";
import { createStepBudget } from "../src/pipeline/step-budget.ts";
import { stripAnswer } from "../src/pipeline/strip-answer.ts";
import { takeStep } from "../src/pipeline/take-step.ts";
import type { BoundCall } from "../src/recording/bound-call.ts";
import { Histories } from "../src/recording/histories.ts";
import { RecordedRequest } from "../src/recording/recorded-request.ts";
import { Replays } from "../src/replay/replays.ts";
import { RequestLog } from "../src/request-log/request-log.ts";
import { RouteTable } from "../src/routes/route-table.ts";
import { registryOptions } from "../src/session/registry-options.ts";
import { SessionRegistry } from "../src/session/session-registry.ts";
import { Recorder } from "../src/telemetry/recorder.ts";

const model = "bench-model";
const sessions = 64;
const callsInSample = 6_400;
const rounds = 9;

/** CPU of the event loop for each stage of a step of 1 KB, without sockets: the chain grows outwards by one stage. */
export async function runPipelineBench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "pipeline-bench-"));
  const bench = await openChains(folder);
  const samples: number[][] = bench.chains.map(() => []);
  for (let round = 0; round <= rounds; round++)
    for (const [index, { handler }] of bench.chains.entries()) {
      const sample = await bench.measure(handler);
      // The first round compiles.
      if (round > 0) samples[index]?.push(sample);
    }
  console.log("µs of the event loop's CPU for each step of 1 KB, 64 at a time, medians");
  let inner = 0;
  for (const [index, { name }] of bench.chains.entries()) {
    const all = median(samples[index] ?? []);
    console.log(
      `${name.padEnd(16)}${all.toFixed(1).padStart(7)}${(all - inner).toFixed(1).padStart(7)}`,
    );
    inner = all;
  }
  await bench.close();
  rmSync(folder, { recursive: true });
}

async function openChains(folder: string) {
  const config = parseConfig(
    JSON.stringify({
      storage_config: { db_url: `sqlite://${join(folder, "gateway.db")}` },
      request_log: { path: join(folder, "requests.jsonl") },
      llm_routes: { [model]: { base_url: "http://127.0.0.1:1/v1", max_concurrency: 1_000 } },
    }),
    "bench",
    {},
  );
  const store = await openStore(config);
  const nothing = (): void => {};
  const recorder = new Recorder(store, config.telemetry, {
    ...{ committed: nothing, retried: nothing, lost: nothing, moved: nothing },
    ...{ unavailable: nothing, recovered: nothing },
  });
  const ended = { onClosed: nothing, onLeft: nothing, onMoved: nothing };
  const registry = new SessionRegistry(store, recorder, registryOptions(config, ended));
  const budget = createStepBudget(config);
  const buffered = new BufferedBytes(config.max_buffered_bytes);
  const log = new RequestLog(config.request_log, nothing);
  const metrics = createMetrics({
    connections: () => ({ open: 0, accepted: 0, dropped: 0 }),
    routeLoads: () => [],
    telemetryQueue: () => recorder,
    sessions: () => registry.countByStatus(),
    bufferedBytes: () => buffered.used,
    requestLogLinesLost: () => log.lost,
    storage: () => store.measure(),
    spans: () => null,
  });
  const histories = new Histories();
  /** The order of handlers.ts, from the inside. */
  const stages: readonly (readonly [name: string, stage: Stage<BoundCall>])[] = [
    ["read-answer", readAnswer(config, true, new AnswerDecoder(config.max_buffered_bytes))],
    ["take-step", takeStep(config, recorder, histories, budget)],
    ["strip-answer", stripAnswer(config.max_capture_bytes)],
    ["limit-route", limitRoute()],
    ["replay-record", replayRecord(new Replays(store, registry), { whole: async () => null }, [])],
    ["record-failure", recordFailure()],
    ["open-session", openSession(registry, budget)],
    ["count-call", observeCall([countCall(metrics)])],
    ["log-request", observeCall([logRequest(log)])],
  ];
  const chains = [{ name: "call and answer", handler: forward }];
  for (const [index, [name]] of stages.entries()) {
    const inner = stages.slice(0, index + 1).map(([, stage]) => stage);
    chains.push({ name, handler: compose(inner.toReversed(), forward) });
  }
  const { timeouts } = config;
  const routes = new RouteTable(config.llm_routes, { timeouts, openMetrics: metrics.openRoute });
  const route = routes.find(model, "chat_completions");

  const step = async (session_id: string, handler: Handler<BoundCall>): Promise<void> => {
    const { history } = endpointsByName.chat_completions;
    const former = histories.find(session_id, endpointsByName.chat_completions, requestBytes);
    const body = readRequestBody(requestBytes, history, former?.body);
    const nearest =
      former === null
        ? histories.nearest(session_id, endpointsByName.chat_completions, body)
        : null;
    const recorded = new RecordedRequest(
      body,
      endpointsByName.chat_completions,
      true,
      former,
      nearest,
    );
    const session = await registry.open(session_id, Date.now());
    const lease = buffered.lease();
    const memory = new BodyMemory(requestBytes);
    const answer = await handler({
      ...{
        endpoint: endpointsByName.chat_completions,
        model,
        route,
        body,
        recorded,
        session_id,
        session,
      },
      ...{ request_id: createTimeOrderedId(), step_id: 0, headers: {}, caller: null },
      ...{ queueKey: session_id, maxPlaces: Number.POSITIVE_INFINITY, maxSteps: null },
      ...{ cancellation: new Cancellation(), whileHeld: null, timings: startTimings() },
      ...{
        weight_version: null,
        sent: { replica: null, attempts: 0, stripped: null },
        engine: null,
        trace: null,
      },
      ...{
        cost_nano_usd: undefined,
        stored: null,
        replayed: null,
        diverged: null,
        lineage: null,
        side_call: null,
      },
      ...{
        retry: null,
        retry_of: null,
        hold: null,
        recording: null,
        lease,
        memory,
        reference: null,
        served: null,
        parent: null,
      },
    });
    answer.body.pipe({
      write: () => true,
      end: () => answer.settle({ error: null }),
      fail: (error) => answer.settle({ error }),
    });
    const { error } = await answer.settled.promise();
    lease.release();
    if (error !== null) throw error;
  };

  return {
    chains,
    /** Microseconds of this thread's CPU for each step. */
    async measure(handler: Handler<BoundCall>): Promise<number> {
      const before = process.threadCpuUsage();
      const caller = async (_: unknown, index: number): Promise<void> => {
        for (let count = 0; count < callsInSample / sessions; count++)
          await step(`session-${index}`, handler);
      };
      await Promise.all(Array.from({ length: sessions }, caller));
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / callsInSample;
    },
    async close(): Promise<void> {
      await recorder.close(10_000);
      await log.close();
      registry.dispose();
      metrics.close();
      await store.close();
    },
  };
}

const requestBytes = Buffer.from(
  JSON.stringify({ model, messages: [{ role: "user", content: "lorem ipsum ".repeat(75) }] }),
);
const answerBytes = Buffer.from(
  JSON.stringify({
    ...{ id: "chatcmpl-1", object: "chat.completion", created: 1_767_225_600, model },
    choices: [
      {
        ...{ index: 0, finish_reason: "stop" },
        message: { role: "assistant", content: "dolor sit amet ".repeat(30) },
      },
    ],
    usage: { prompt_tokens: 180, completion_tokens: 90, total_tokens: 270 },
  }),
);

/** Takes the place of the upstream: the answer is there at once. */
const forward: Handler<BoundCall> = async (call) => {
  const now = performance.now();
  Object.assign(call.timings, { forwarded: now, headersCame: now, firstByte: now });
  call.timings.upstreamEnded = now;
  call.sent.replica = "http://127.0.0.1:1/v1";
  call.sent.attempts = 1;
  const body: AnswerBody = {
    pipe: (sink) => {
      sink.write(answerBytes);
      sink.end([]);
    },
    resume: () => {},
    cancel: () => {},
  };
  return new Answer({
    ...{ status: 200, headers: [], body, format: "plain", received: happened<void>(undefined) },
    upstream: {
      ...{ status: 200, request_id: null, replica: call.sent.replica, attempts: 1 },
      ...{ content_type: "application/json", content_encoding: null, recorded_headers: null },
    },
  });
};

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
