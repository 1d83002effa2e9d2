import type { ChildProcess } from "node:child_process";
import { loadConfig } from "@proj/gateway-protocol";

const maxAnswerMs = 15_000;
/** Lines that are remembered because other workers may print them, too. */
const maxTold = 100;

/** SIGHUP for all workers, and what they tell people: each line once, though every worker prints it. */
export class WorkerReloads {
  readonly #configPath: string;
  readonly #serving = new Map<number, ChildProcess>();
  readonly #told = new Set<string>();
  /** Workers that have not answered the last SIGHUP; null: there was none. */
  #awaited: Set<number> | null = null;
  /** What a worker answered, until all have. */
  #answer: string | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(configPath: string) {
    this.#configPath = configPath;
  }

  begin(): void {
    this.#told.clear();
    this.#answer = null;
    clearTimeout(this.#timer);
    try {
      // An invalid file is reported once, without asking the workers.
      loadConfig(this.#configPath);
    } catch (error) {
      console.error(`SIGHUP: ${error instanceof Error ? error.message : String(error)}`);
      return;
    }
    const awaited = new Set(this.#serving.keys());
    this.#awaited = awaited;
    for (const child of this.#serving.values()) child.kill("SIGHUP");
    this.#timer = setTimeout(() => {
      for (const number of awaited)
        console.error(
          `SIGHUP: worker ${number} did not answer, and may still serve the old routes`,
        );
    }, maxAnswerMs).unref();
  }

  /** A worker serves. It read the configuration when it began, perhaps before a reload. */
  add(number: number, child: ChildProcess): void {
    this.#serving.set(number, child);
    child.once("exit", () => {
      this.#serving.delete(number);
      // Its successor reads the configuration when it begins.
      this.#awaited?.delete(number);
      this.#tellAnswer();
    });
    if (this.#awaited !== null) child.kill("SIGHUP");
  }

  tell(number: number, line: string, isError: boolean): void {
    const isAnswer = line.startsWith("SIGHUP: ");
    if (isAnswer) this.#awaited?.delete(number);
    if (isError) this.#once(line, console.error);
    else if (isAnswer) this.#answer = line;
    this.#tellAnswer();
  }

  /** Tells the new routes when they are those of all workers. */
  #tellAnswer(): void {
    if (this.#answer === null || this.#awaited?.size !== 0) return;
    this.#once(this.#answer, console.log);
    this.#answer = null;
  }

  #once(line: string, print: (line: string) => void): void {
    if (this.#told.has(line)) return;
    if (this.#told.size >= maxTold) this.#told.clear();
    this.#told.add(line);
    print(line);
  }
}
