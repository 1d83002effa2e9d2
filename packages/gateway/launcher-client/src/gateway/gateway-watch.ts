import { HttpError } from "@proj/http-client";
import type { LauncherEvent } from "../launcher-event.ts";
import { poll } from "../poll.ts";
import { Repetition } from "../repetition.ts";
import type { GatewayClient } from "./gateway-client.ts";

const pauseMs = 1_000;
const answerMs = 5_000;

/** Knows when the gateway was not ready, so that its outage is not mistaken for an agent's failure. */
export class GatewayWatch {
  readonly #gateway: Pick<GatewayClient, "readiness">;
  readonly #tell: (event: LauncherEvent) => void;
  #looking: Repetition | null = null;
  #isReady = false;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #awayAt = Number.NEGATIVE_INFINITY;

  constructor(gateway: Pick<GatewayClient, "readiness">, tell: (event: LauncherEvent) => void) {
    this.#gateway = gateway;
    this.#tell = tell;
  }

  /** Checks once a second until `end`. */
  begin(): void {
    this.#looking ??= new Repetition(pauseMs, async () => void (await this.look()));
  }

  async end(): Promise<void> {
    await this.#looking?.end();
    this.#looking = null;
  }

  /** @returns false: it was not ready at any time before the limit. @throws the signal's reason */
  async untilReady(timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    if (this.#isReady && performance.now() - this.#lookedAt < 2 * pauseMs) return true;
    const ready = await poll(async () => ({ done: await this.look(), value: true }), {
      timeoutMs,
      minDelayMs: 100,
      maxDelayMs: pauseMs,
      signal,
    });
    return ready ?? false;
  }

  /** Whether it was away at any time since then, by `performance.now()`, or is away now. */
  async wasAwaySince(time: number): Promise<boolean> {
    return this.#awayAt >= time || !(await this.look());
  }

  /** @returns whether it is ready now */
  async look(): Promise<boolean> {
    const problem = await this.#problem();
    this.#lookedAt = performance.now();
    const isNew = problem !== null && (this.#isReady || this.#awayAt < 0);
    this.#isReady = problem === null;
    if (problem === null) return true;
    this.#awayAt = performance.now();
    if (isNew) this.#tell({ event: "gateway_unavailable", message: problem });
    return false;
  }

  async #problem(): Promise<string | null> {
    try {
      const { status } = await this.#gateway.readiness({ retry: false, timeoutMs: answerMs });
      return status === "ready" ? null : `its status is ${status}`;
    } catch (error) {
      if (error instanceof HttpError) return error.message;
      throw error;
    }
  }
}
