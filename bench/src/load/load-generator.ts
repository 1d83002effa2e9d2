import { firstMessage, type PinnedProcess, startModule } from "../machine/pinned-process.ts";
import type {
  LoadCommand,
  LoadReply,
  LoadResult,
  PathsResult,
  PathsSpec,
  RoundResult,
  RoundSpec,
  StreamsResult,
  StreamsSpec,
} from "./load-protocol.ts";

const MAIN = import.meta.resolve("./load-main.ts");
/** More than any command takes. */
const MAX_COMMAND_MS = 300_000;

/** The bench's side of a load process; one command at a time. */
export class LoadGenerator {
  readonly #process: PinnedProcess;

  private constructor(process: PinnedProcess) {
    this.#process = process;
  }

  static async start(cores: string | null): Promise<LoadGenerator> {
    const started = startModule(MAIN, cores);
    await firstMessage(started, (message) => message ?? undefined, "the load generator");
    return new LoadGenerator(started);
  }

  round(spec: Omit<RoundSpec, "kind">): Promise<RoundResult> {
    return this.#run<RoundResult>({ kind: "round", ...spec });
  }

  streamsAtOnce(spec: Omit<StreamsSpec, "kind">): Promise<StreamsResult> {
    return this.#run<StreamsResult>({ kind: "streams", ...spec });
  }

  /** Asks for paths while `work` runs. */
  async during(spec: Omit<PathsSpec, "kind">, work: () => Promise<unknown>): Promise<PathsResult> {
    await this.#run({ kind: "paths", ...spec });
    await work();
    return this.#run<PathsResult>({ kind: "stop" });
  }

  stop(): Promise<void> {
    return this.#process.stop();
  }

  async #run<T extends LoadResult>(command: LoadCommand): Promise<T> {
    const reply = (message: unknown): LoadReply => message as LoadReply;
    const answer = firstMessage(this.#process, reply, `the ${command.kind}`, MAX_COMMAND_MS);
    this.#process.child.send(command);
    const replied = await answer;
    if ("failure" in replied) throw new Error(`the load generator failed: ${replied.failure}`);
    return replied.result as T;
  }
}
