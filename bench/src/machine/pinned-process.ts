import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface PinnedProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  /** The last lines of the process's standard error. */
  readonly complaint: () => string;
  /** Sends SIGTERM, and SIGKILL if the process is still running after `graceMs` (default 3000). */
  readonly stop: (graceMs?: number) => Promise<void>;
}

export interface PinnedProcessOptions {
  /** For `taskset -c`; null: not pinned. */
  readonly cores: string | null;
  readonly command: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly folder?: string;
  /** Whether the process is a Node program that talks over IPC. Default false. */
  readonly ipc?: boolean;
}

const COMPLAINT_LIMIT = 4000;
const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** `taskset` replaces itself with the command, so the pid is the program's own. */
export function startPinned(options: PinnedProcessOptions): PinnedProcess {
  const pin = options.cores === null ? [] : ["taskset", "-c", options.cores];
  const [command = options.command, ...args] = [...pin, options.command, ...options.args];
  const child = spawn(command, args, {
    stdio: ["ignore", "ignore", "pipe", ...(options.ipc === true ? (["ipc"] as const) : [])],
    // Unlike JSON, this keeps NaN.
    serialization: "advanced",
    env: { ...process.env, ...options.environment },
    ...(options.folder === undefined ? {} : { cwd: options.folder }),
  });
  running.add(child);
  let complaint = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-COMPLAINT_LIMIT);
  });
  child.on("error", (error) => {
    complaint += error.message;
    running.delete(child);
  });
  child.on("exit", () => running.delete(child));
  return {
    child,
    pid: child.pid ?? -1,
    complaint: () => complaint.trim(),
    stop: (graceMs = 3000) => stop(child, graceMs),
  };
}

async function stop(child: ChildProcess, graceMs: number): Promise<void> {
  if (!running.has(child)) return;
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), graceMs);
  await gone;
  clearTimeout(timer);
}

/**
 * The first IPC message that `accept` recognises.
 * @param awaited what the message reports, for the error: "the broker to listen"
 * @throws Error it did not come in time, or the process ended
 */
export function firstMessage<T>(
  started: PinnedProcess,
  accept: (message: unknown) => T | undefined,
  awaited: string,
  maxMs = 30_000,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const onMessage = (message: unknown): void => {
    const accepted = accept(message);
    if (accepted !== undefined) resolve(accepted);
  };
  const fail = (reason: string): void => {
    reject(new Error(`${reason} while the bench waited for ${awaited}: ${started.complaint()}`));
  };
  const onEnd = (): void => fail("A process ended");
  const timer = setTimeout(() => fail(`${maxMs} ms passed`), maxMs);
  started.child.on("message", onMessage).once("exit", onEnd).once("error", onEnd);
  return promise.finally(() => {
    clearTimeout(timer);
    started.child.off("message", onMessage).off("exit", onEnd).off("error", onEnd);
  });
}

/** A module of the bench in a process of its own, which talks over IPC. @param main its URL */
export function startModule(
  main: string,
  cores: string | null,
  args: readonly string[] = [],
): PinnedProcess {
  const all = [...process.execArgv, fileURLToPath(main), ...args];
  return startPinned({ cores, command: process.execPath, args: all, ipc: true });
}

export interface StartedServer {
  readonly port: number;
  readonly process: PinnedProcess;
}

/** A module that calls `listenForBench`. */
export async function startServer(
  main: string,
  cores: string | null,
  args: readonly string[] = [],
  maxMs?: number,
): Promise<StartedServer> {
  const started = startModule(main, cores, args);
  const port = await firstMessage(started, portOf, `${main} to listen`, maxMs);
  return { port, process: started };
}

/** Recognises the message `{ port }` that the bench's servers send when they listen. */
export function portOf(message: unknown): number | undefined {
  if (typeof message !== "object" || message === null || !("port" in message)) return undefined;
  return typeof message.port === "number" ? message.port : undefined;
}
