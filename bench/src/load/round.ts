import { setTimeout as delay } from "node:timers/promises";
import { cpuMicroseconds } from "../machine/process-figures.ts";
import { quantileOfSorted } from "../statistics.ts";
import { LoadConnection } from "./load-connection.ts";
import type { RoundResult, RoundSpec } from "./load-protocol.ts";
import { RequestWriter } from "./request-writer.ts";

/** Longest wait for the answers that are in flight when the window ends. */
const LAST_ANSWERS_MS = 20_000;
/** A process is idle once it has used no CPU for this long; the kernel counts CPU in steps of 10 ms. */
const SETTLED_MS = 40;
const LONGEST_SETTLING_MS = 3000;

/** CPU time counts from the first request until the server has finished deferred work, such as a checkpoint. */
export async function runRound(spec: RoundSpec): Promise<RoundResult> {
  const round = new Round(spec);
  await round.open();
  const cpuBefore = cpuMicroseconds(spec.target.pid);
  round.start();
  await delay(spec.rampMs);
  const windowStart = performance.now();
  round.measuring = true;
  await delay(spec.windowMs);
  round.measuring = false;
  const windowMs = performance.now() - windowStart;
  await round.finish();
  const cpuAfter = await settledCpuMicroseconds(spec.target.pid);
  return round.result(windowMs, cpuAfter - cpuBefore);
}

/** Waits until the process is idle, so that its deferred work does not burden the next row's round. */
async function settledCpuMicroseconds(pid: number): Promise<number> {
  const deadline = performance.now() + LONGEST_SETTLING_MS;
  let last = cpuMicroseconds(pid);
  while (performance.now() < deadline) {
    await delay(SETTLED_MS);
    const now = cpuMicroseconds(pid);
    if (now === last || Number.isNaN(now)) return now;
    last = now;
  }
  return last;
}

class Round {
  measuring = false;
  readonly #spec: RoundSpec;
  readonly #writer: RequestWriter;
  readonly #connections: LoadConnection[] = [];
  readonly #latencies: number[] = [];
  readonly #firstBytes: number[] = [];
  readonly #idle = Promise.withResolvers<void>();
  /** All requests, including those before and after the window. */
  #answers = 0;
  #running = true;
  #underWay = 0;
  #errors = 0;
  #firstError: string | null = null;

  constructor(spec: RoundSpec) {
    this.#spec = spec;
    const { target, body, paceMs = 0, connections } = spec;
    this.#writer = new RequestWriter(target, body, paceMs, connections);
  }

  async open(): Promise<void> {
    for (let index = 0; index < this.#spec.connections; index++) {
      this.#connections.push(
        new LoadConnection(index, this.#spec.target.port, {
          onAnswer: (connection) => this.#answered(connection),
          onFailure: (connection, reason) => this.#failed(connection, reason),
        }),
      );
    }
    const opened = this.#connections.map((connection) => connection.opened());
    // A connection that cannot be opened has already reported its failure.
    await Promise.allSettled(opened);
  }

  start(): void {
    for (const connection of this.#connections) {
      if (!connection.failed) this.#schedule(connection);
    }
  }

  /** Waits for the answers in flight, then closes the connections. */
  async finish(): Promise<void> {
    this.#running = false;
    if (this.#underWay === 0) this.#idle.resolve();
    const timer = setTimeout(() => {
      this.#error(`${this.#underWay} answers did not come in ${LAST_ANSWERS_MS / 1000} s`);
      this.#idle.resolve();
    }, LAST_ANSWERS_MS);
    await this.#idle.promise;
    clearTimeout(timer);
    for (const connection of this.#connections) connection.close();
  }

  result(windowMs: number, cpuUs: number): RoundResult {
    if (this.#latencies.length === 0) this.#error("no answer came within the window");
    const latencies = Float64Array.from(this.#latencies).sort();
    const firstBytes = Float64Array.from(this.#firstBytes).sort();
    return {
      requests: latencies.length,
      requests_per_second: (latencies.length * 1000) / windowMs,
      p50_ms: quantileOfSorted(latencies, 0.5),
      p99_ms: quantileOfSorted(latencies, 0.99),
      first_byte_p50_ms: quantileOfSorted(firstBytes, 0.5),
      cpu_us_per_request: cpuUs / this.#answers,
      errors: this.#errors,
      first_error: this.#firstError,
    };
  }

  #schedule(connection: LoadConnection): void {
    const pause = Math.random() * (this.#spec.thinkMs ?? 0);
    if (pause < 1) this.#send(connection);
    else setTimeout(() => this.#send(connection), pause);
  }

  #send(connection: LoadConnection): void {
    if (!this.#running) return;
    this.#underWay++;
    this.#writer.send(connection);
  }

  #answered(connection: LoadConnection): void {
    this.#underWay--;
    this.#answers++;
    this.#check(connection);
    if (this.measuring) {
      this.#latencies.push(performance.now() - connection.sentAt);
      this.#firstBytes.push(connection.firstByteAt - connection.sentAt);
    }
    if (this.#running) this.#schedule(connection);
    else if (this.#underWay === 0) this.#idle.resolve();
  }

  #check(connection: LoadConnection): void {
    const { status, bodyBytes } = connection.parser;
    const { answerBytes } = this.#spec.target;
    if (status !== 200) this.#error(`status ${status}`);
    else if (bodyBytes !== answerBytes) {
      this.#error(`an answer of ${bodyBytes} bytes where ${answerBytes} were expected`);
    }
  }

  #failed(connection: LoadConnection, reason: string): void {
    this.#error(reason);
    if (connection.busy) this.#underWay--;
    if (!this.#running && this.#underWay === 0) this.#idle.resolve();
  }

  #error(reason: string): void {
    this.#errors++;
    this.#firstError ??= reason;
  }
}
