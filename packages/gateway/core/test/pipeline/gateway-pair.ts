import { type FaultyUpstream, type RecordedRequest, startFaultyUpstream } from "@proj/test-kit";
import { afterAll, beforeAll } from "vitest";
import type { GatewayDependencies } from "../../src/index.ts";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { chatRequest, responsesRequest } from "../telemetry/bound-calls.ts";
import { type RawCaller, rawCall } from "../telemetry/raw-caller.ts";

export type EndpointPath = "chat/completions" | "responses";

/** One gateway with one upstream for all tests of a file; the test controls the upstream's answers. */
export class GatewayPair {
  #upstream: FaultyUpstream | null = null;
  #gateway: TestGateway | null = null;
  #sessions = 0;

  get upstream(): FaultyUpstream {
    return started(this.#upstream);
  }

  get gateway(): TestGateway {
    return started(this.#gateway);
  }

  async start(options: PairOptions): Promise<void> {
    const { route = {}, streamTimes, ...config } = options;
    this.#upstream = await startFaultyUpstream();
    this.#gateway = await startGateway(
      { llm_routes: { policy: { base_url: this.#upstream.url, ...route } }, ...config },
      streamTimes === undefined ? {} : { streamTimes },
    );
  }

  async close(): Promise<void> {
    await this.#gateway?.close();
    await this.#upstream?.close();
  }

  /** A session that no other call uses. */
  newSession(): string {
    this.#sessions += 1;
    return `session-${this.#sessions}`;
  }

  /** Sends a request in a session of its own, streamed by default; resolves when the upstream has it. */
  async call(endpoint: EndpointPath, members: Record<string, unknown> = {}): Promise<OpenCall> {
    const session_id = this.newSession();
    return this.callAt(`/v1/sessions/${session_id}/${endpoint}`, session_id, members);
  }

  async callUnbound(
    endpoint: EndpointPath,
    members: Record<string, unknown> = {},
  ): Promise<OpenCall> {
    return this.callAt(`/v1/${endpoint}`, "", members);
  }

  async callAt(
    path: string,
    session_id: string,
    members: Record<string, unknown> = {},
  ): Promise<OpenCall> {
    const request = path.endsWith("/responses") ? responsesRequest : chatRequest;
    const body = request({ stream: true, ...members });
    const caller = await rawCall(this.gateway, path, body);
    const received = await this.upstream.nextRequest();
    return {
      session_id,
      caller,
      request: received,
      reply: received.reply,
      [Symbol.asyncDispose]: () => caller[Symbol.asyncDispose](),
    };
  }
}

export interface PairOptions extends Omit<GatewayDependencies, "log"> {
  /** Members of the route `policy`. */
  readonly route?: Record<string, unknown>;
  /** Further members of the configuration. */
  readonly [key: string]: unknown;
}

/** A request that has reached the upstream, seen from both sides. */
export interface OpenCall extends AsyncDisposable {
  readonly session_id: string;
  readonly caller: RawCaller;
  readonly request: RecordedRequest;
  readonly reply: RecordedRequest["reply"];
}

/** Starts a pair before the file's tests and closes it after them. */
export function useGatewayPair(options: PairOptions = {}): GatewayPair {
  const pair = new GatewayPair();
  beforeAll(() => pair.start(options));
  afterAll(() => pair.close());
  return pair;
}

function started<T>(part: T | null): T {
  if (part === null) throw new Error("not started yet");
  return part;
}
