import { fileURLToPath } from "node:url";
import { firstMessage, type PinnedProcess, startPinned } from "../machine/pinned-process.ts";
import type {
  LoadCommand,
  LoadReply,
  LoadResult,
  ProbeResult,
  ProbeSpec,
  RoundResult,
  RoundSpec,
  StreamsResult,
  StreamsSpec,
} from "./load-protocol.ts";

const MAIN = fileURLToPath(import.meta.resolve("./load-main.ts"));

/** The bench's side of a load process; one command at a time. */
export class LoadGenerator {
  readonly #process: PinnedProcess;

  private constructor(process: PinnedProcess) {
    this.#process = process;
  }

  /** `urgent`: the process asks for a higher priority, so that probes do not wait behind other load. */
  static async start(cores: string | null, urgent = false): Promise<LoadGenerator> {
    const args = [MAIN, ...(urgent ? ["--urgent"] : [])];
    const started = startPinned({ cores, command: process.execPath, args, ipc: true });
    await firstMessage(started, (message) => message ?? undefined);
    return new LoadGenerator(started);
  }

  round(spec: Omit<RoundSpec, "kind">): Promise<RoundResult> {
    return this.#run<RoundResult>({ kind: "round", ...spec });
  }

  streamsAtOnce(spec: Omit<StreamsSpec, "kind">): Promise<StreamsResult> {
    return this.#run<StreamsResult>({ kind: "streams", ...spec });
  }

  probe(spec: Omit<ProbeSpec, "kind">): Promise<ProbeResult> {
    return this.#run<ProbeResult>({ kind: "probe", ...spec });
  }

  stop(): Promise<void> {
    return this.#process.stop();
  }

  async #run<T extends LoadResult>(command: LoadCommand): Promise<T> {
    const answer = firstMessage(this.#process, (message) => message as LoadReply);
    this.#process.child.send(command);
    const reply = await answer;
    if ("failure" in reply) throw new Error(`the load generator failed: ${reply.failure}`);
    return reply.result as T;
  }
}
