import type { ChildProcess } from "node:child_process";
import type { ServiceLog } from "@proj/gateway-core";
import { exitCode, ProgramError } from "@proj/program";

/** A process that dies sooner is replaced after a pause, which doubles each time. */
const longLifeMs = 60_000;
const minPauseMs = 250;
const maxPauseMs = 30_000;

export interface ProcessToKeep {
  /** For people: `worker 2`. */
  readonly name: string;
  start(): ChildProcess;
  /** Resolves when the process serves. */
  ready(child: ChildProcess): Promise<unknown>;
  /** Asks it to end in an orderly way. */
  end(child: ChildProcess): void;
}

/** Keeps a process running, and replaces it when it dies. */
export class KeptProcess {
  readonly #kept: ProcessToKeep;
  readonly #log: ServiceLog;
  #child: ChildProcess | null = null;
  #gone: Promise<number | null> = Promise.resolve(exitCode.done);
  #timer: NodeJS.Timeout | undefined;
  #isEnding = false;

  constructor(kept: ProcessToKeep, log: ServiceLog) {
    this.#kept = kept;
    this.#log = log;
  }

  /** Resolves when it serves. @throws ProgramError it ended before that */
  async start(pauseMs: number = minPauseMs): Promise<void> {
    const { name } = this.#kept;
    const child = this.#kept.start();
    const startedAt = performance.now();
    this.#child = child;
    this.#gone = new Promise((resolve) => {
      child.once("error", (err) => {
        this.#log.error({ err, process: name }, "a process cannot be started");
        resolve(null);
      });
      child.once("exit", (code) => resolve(code));
    });
    const ended = this.#gone.then((code) => {
      if (this.#isEnding) return;
      this.#replace(code, performance.now() - startedAt > longLifeMs ? minPauseMs : pauseMs);
      const usage = code === exitCode.usage ? exitCode.usage : exitCode.failed;
      throw new ProgramError(`${name} ended while starting (${child.signalCode ?? code})`, usage);
    });
    await Promise.race([this.#kept.ready(child), ended]);
    // Its later end is told by the log.
    ended.catch(() => {});
    this.#log.info({ process: name, process_pid: child.pid }, "a process serves");
  }

  /** @returns its exit code; null: a signal ended it */
  async end(): Promise<number | null> {
    this.#isEnding = true;
    clearTimeout(this.#timer);
    const child = this.#child;
    if (child !== null && child.exitCode === null && child.signalCode === null)
      this.#kept.end(child);
    return this.#gone;
  }

  #replace(code: number | null, pauseMs: number): void {
    const signal = this.#child?.signalCode ?? null;
    this.#log.error(
      { process: this.#kept.name, code, signal, pause_ms: pauseMs },
      "a process died and will be replaced",
    );
    this.#timer = setTimeout(() => {
      this.start(Math.min(2 * pauseMs, maxPauseMs)).catch(() => {});
    }, pauseMs);
  }
}
