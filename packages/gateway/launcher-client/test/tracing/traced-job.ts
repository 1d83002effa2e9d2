import { randomUUID } from "node:crypto";
import type { Tracer } from "@proj/opentelemetry";
import { openTracer } from "@proj/opentelemetry/tracer";
import { type JobStore, openJobStore } from "@proj/session-store";
import { startDemoUpstream } from "@proj/test-kit";
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from "@proj/test-kit/otlp";
import {
  createGatewayClient,
  functionEvaluator,
  functionRuntime,
  SimulationManager,
  type SimulationManagerOptions,
} from "../../src/index.ts";
import { takeTwoSteps } from "../manager/rollout.ts";
import { startGateway } from "../start-gateway.ts";
import { temporaryStorage } from "../temporary-storage.ts";

/** A gateway and a launcher that send their spans to one receiver. */
export interface TracedJob extends AsyncDisposable {
  readonly store: JobStore;
  readonly job_id: string;
  readonly tracer: Tracer;
  /** By default, a manager with agents that take two steps and a score of 1. */
  manager(options?: Partial<SimulationManagerOptions>): SimulationManager;
  /** Ends the gateway and the tracer. @returns all spans */
  spans(): Promise<readonly ReceivedSpan[]>;
}

export async function startTracedJob(): Promise<TracedJob> {
  const receiver: OtlpReceiver = await startOtlpReceiver();
  const upstream = await startDemoUpstream();
  const storage = await temporaryStorage();
  const server = await startGateway({
    storage,
    config: {
      opentelemetry: { enabled: true, endpoint: receiver.url },
      llm_routes: { demo: { base_url: upstream.url, prices: [{ input: 2, output: 10 }] } },
    },
  });
  const gateway = createGatewayClient({ baseUrl: server.url });
  const store = await openJobStore(storage);
  const tracer = openTracer({
    ...{ endpoint: receiver.url, headers: {}, service_name: "launcher", queue_max_spans: 1_000 },
    onFailing: () => {},
    onRecovered: () => {},
  });
  const job_id = randomUUID();
  return {
    ...{ store, job_id, tracer },
    manager: (options) =>
      new SimulationManager({
        ...{ store, gateway, job_id, llm_model: "demo" },
        runtime: functionRuntime(takeTwoSteps),
        evaluator: functionEvaluator(() => 1),
        tracing: { tracer },
        timeouts: { evaluationRetryMs: 1 },
        ...options,
      }),
    async spans() {
      await tracer.close();
      await server.close();
      return receiver.spans;
    },
    async [Symbol.asyncDispose]() {
      gateway.end();
      await tracer.close();
      await server.close();
      await store.close();
      await storage[Symbol.asyncDispose]();
      await upstream.close();
      await receiver[Symbol.asyncDispose]();
    },
  };
}
