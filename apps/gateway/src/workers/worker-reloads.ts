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
  #timer: NodeJS.Timeout | undefined;

  constructor(configPath: string) {
    this.#configPath = configPath;
  }

  begin(): void {
    this.#told.clear();
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
    });
    if (this.#awaited !== null) child.kill("SIGHUP");
  }

  tell(number: number, line: string, isError: boolean): void {
    const isAnswer = line.startsWith("SIGHUP: ");
    if (isAnswer) this.#awaited?.delete(number);
    // Told when the routes are those of all workers.
    if (isAnswer && !isError && this.#awaited?.size !== 0) return;
    if (this.#told.has(line)) return;
    if (this.#told.size >= maxTold) this.#told.clear();
    this.#told.add(line);
    if (isError) console.error(line);
    else if (isAnswer) console.log(line);
  }
}
