import { fileURLToPath } from "node:url";
import { firstMessage, type PinnedProcess, startPinned } from "../machine/pinned-process.ts";

export interface RoutingRoundSpec {
  readonly port: number;
  /** The process whose CPU time is read. */
  readonly pid: number;
  readonly connections: number;
  readonly windowMs: number;
}

export interface RoutingRound {
  readonly requests_per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly cpu_us_per_request: number;
  /** The server's share of a core: near 1, the server's speed was measured and not the load generator's. */
  readonly busy: number;
  readonly errors: number;
}

const MAIN = fileURLToPath(import.meta.resolve("./load-main.ts"));

/** The bench's side of the load process; one round at a time. */
export class RoutingLoad {
  readonly #process: PinnedProcess;

  private constructor(process: PinnedProcess) {
    this.#process = process;
  }

  static async start(cores: string | null): Promise<RoutingLoad> {
    const started = startPinned({ cores, command: process.execPath, args: [MAIN], ipc: true });
    await firstMessage(started, (message) => message ?? undefined);
    return new RoutingLoad(started);
  }

  async round(spec: RoutingRoundSpec): Promise<RoutingRound> {
    const reply = firstMessage(this.#process, (message) => message as { round: RoutingRound });
    this.#process.child.send(spec);
    return (await reply).round;
  }

  stop(): Promise<void> {
    return this.#process.stop();
  }
}
