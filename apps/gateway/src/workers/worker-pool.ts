import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Front, ServiceLog } from "@proj/gateway-core";
import { ProgramError } from "@proj/program";
import { numbered } from "./worker-config.ts";
import type { WorkerCommand, WorkerMessage } from "./worker-messages.ts";

const entry = fileURLToPath(import.meta.resolve("@proj/gateway/worker"));
/** A worker that dies sooner is replaced after a pause, which doubles each time. */
const longLifeMs = 60_000;
const firstPauseMs = 250;
const longestPauseMs = 30_000;
/** Longest time for a worker to read its routes again. */
const reloadMs = 15_000;

export interface WorkerPoolOptions {
  readonly configPath: string;
  readonly logPath: string;
  /** The folder of the workers' sockets. */
  readonly folder: string;
  readonly workers: number;
  readonly front: Front;
  readonly log: ServiceLog;
  /** Called once, when the wait for the database begins. */
  readonly onWaiting: (message: string) => void;
}

/** The workers of one machine: starts, reloads and ends them together, and replaces those that die. */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #children = new Map<number, ChildProcess>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #lives = 0;
  #reloads = 0;
  #isClosing = false;
  #isWaiting = false;
  #lostRows = 0;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  /** Resolves when all are serving. @throws ProgramError a worker cannot serve; with its reason */
  async start(signal: AbortSignal): Promise<void> {
    const { workers } = this.#options;
    const numbers = Array.from({ length: workers }, (_, index) => index + 1);
    const serving = Promise.all(numbers.map((number) => this.#start(number, firstPauseMs)));
    const ended = Promise.withResolvers<void>();
    signal.addEventListener("abort", () => ended.resolve(), { once: true });
    if (signal.aborted) ended.resolve();
    await Promise.race([serving, ended.promise]);
  }

  /** Makes every worker read its routes again. One that does not answer in time has `failed`. */
  reload(): Promise<readonly WorkerMessage[]> {
    return Promise.all(
      [...this.#children].map(([number, child]) => reloadWorker(number, child, ++this.#reloads)),
    );
  }

  /** Shuts every worker down in order. @returns the number of rows that could not be written */
  async close(reason: string): Promise<number> {
    this.#isClosing = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await Promise.all(
      [...this.#children.values()].map(async (child) => {
        const gone = once(child, "exit");
        send(child, { kind: "close", reason });
        await gone;
      }),
    );
    return this.#lostRows;
  }

  /** Resolves when the worker is serving; rejects if it ends before that, which waiting cannot fix. */
  #start(number: number, pauseMs: number): Promise<void> {
    const { configPath, logPath, folder, workers, front, log } = this.#options;
    // A new socket for each process, so that nothing left behind by the previous one is in the way.
    const socketPath = join(folder, `${number}-${++this.#lives}`);
    const settings = {
      configPath,
      logPath: numbered(logPath, number),
      socketPath,
      number,
      workers,
    };
    const child = fork(entry, [JSON.stringify(settings)]);
    const startedAt = performance.now();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let failure: ProgramError | null = null;
    this.#children.set(number, child);
    child.on("message", (message: WorkerMessage) => {
      if (message.kind === "waiting") this.#waits(message.message);
      if (message.kind === "closed") this.#lostRows += message.lost_rows;
      if (message.kind === "failed") failure = new ProgramError(message.messages, message.exitCode);
      if (message.kind !== "serving") return;
      log.info({ worker: number, worker_pid: child.pid }, "a worker serves");
      if (this.#isClosing) return resolve();
      front.admit(number, socketPath);
      // It read the configuration when it began, perhaps before a reload that the others have already answered.
      void reloadWorker(number, child, ++this.#reloads).then(() => resolve());
    });
    child.on("error", (err) => log.error({ err, worker: number }, "a worker cannot be started"));
    child.once("exit", (code, signal) => {
      front.dismiss(number);
      this.#children.delete(number);
      rmSync(socketPath, { force: true });
      reject(
        failure ?? new ProgramError(`Worker ${number} ended while starting (${signal ?? code}).`),
      );
      if (this.#isClosing) return;
      const lived = performance.now() - startedAt;
      const pause = lived > longLifeMs ? firstPauseMs : pauseMs;
      log.error(
        { worker: number, code, signal, pause_ms: pause },
        "a worker died and will be replaced",
      );
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        this.#start(number, Math.min(2 * pause, longestPauseMs)).catch(() => {});
      }, pause);
      this.#timers.add(timer);
    });
    return promise;
  }

  #waits(message: string): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#options.onWaiting(message);
  }
}

function send(child: ChildProcess, command: WorkerCommand): void {
  // A worker that has just died is replaced anyway.
  if (child.connected) child.send(command, () => {});
}

/** Makes a worker read its routes again. @returns its answer, or `failed` if it dies or takes too long */
function reloadWorker(
  number: number,
  child: ChildProcess,
  reload_id: number,
): Promise<WorkerMessage> {
  return new Promise((resolve) => {
    const settle = (message: WorkerMessage): void => {
      clearTimeout(timer);
      child.off("message", take).off("exit", leave);
      resolve(message);
    };
    const fail = (reason: string): void =>
      settle({ kind: "failed", messages: [reason], exitCode: 1 });
    const take = (message: WorkerMessage): void => {
      if (message.kind === "reloaded" && message.reload_id === reload_id) settle(message);
    };
    const leave = (): void => fail("the worker died");
    const silent = `worker ${number} did not answer, and may still serve the old routes`;
    const timer = setTimeout(fail, reloadMs, silent);
    child.on("message", take).once("exit", leave);
    send(child, { kind: "reload", reload_id });
  });
}
