import { fileURLToPath } from "node:url";
import { type PinnedProcess, startPinned } from "../machine/pinned-process.ts";
import { messageWithin } from "../trading/message-within.ts";
import type { LoadCommand, LoadReply, PointsRound } from "./points-protocol.ts";
import type { StartedServer } from "./points-server.ts";

const MAIN = fileURLToPath(import.meta.resolve("./load-main.ts"));

/** The bench's side of the load process; one round at a time. */
export class PointsLoad {
  readonly #process: PinnedProcess;

  private constructor(process: PinnedProcess) {
    this.#process = process;
  }

  static async start(cores: string | null): Promise<PointsLoad> {
    const args = [...process.execArgv, MAIN];
    const started = startPinned({ cores, command: process.execPath, args, ipc: true });
    await messageWithin(started, (message) => message ?? undefined, "the load's process");
    return new PointsLoad(started);
  }

  /** Loads the server from 32 connections while `work` runs. */
  async during(
    { port, process: { pid } }: StartedServer,
    addresses: number,
    work: () => Promise<unknown>,
  ): Promise<PointsRound> {
    await this.#ask({ kind: "start", port, pid, addresses, connections: 32 });
    await work();
    const reply = await this.#ask({ kind: "stop" });
    if (!("round" in reply)) throw new Error("the load's process gave no figures");
    return reply.round;
  }

  stop(): Promise<void> {
    return this.#process.stop();
  }

  #ask(command: LoadCommand): Promise<LoadReply> {
    const reply = messageWithin(this.#process, (message) => message as LoadReply, "the load");
    this.#process.child.send(command);
    return reply;
  }
}
