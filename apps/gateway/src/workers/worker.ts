import { type ChildProcess, fork } from "node:child_process";
import { createInterface } from "node:readline";
import type { GatewayConfig } from "@proj/gateway-protocol";
import { exitCode } from "@proj/program";
import type { ProcessToKeep } from "./kept-process.ts";
import { numbered, workerConfig } from "./worker-config.ts";

/** The variable that makes a gateway one of several workers: `2/4`. */
const variable = "GATEWAY_WORKER";

/** What is different for a gateway that is a worker. */
export interface AsWorker {
  /** Its share of a configuration. */
  share(config: GatewayConfig): GatewayConfig;
  /** Tells the parent that it serves. */
  serving(): void;
  /** Aborted when the parent is gone. */
  readonly orphaned: AbortSignal;
}

/**
 * Null: this process is not a worker.
 * @param closing aborted: the worker already ends, and ends at once when its parent is gone, too
 */
export function asWorker(closing: AbortSignal): AsWorker | null {
  const [, number, workers] = /^(\d+)\/(\d+)$/.exec(process.env[variable] ?? "") ?? [];
  if (number === undefined || process.send === undefined) return null;
  const orphaned = new AbortController();
  process.once("disconnect", () => {
    if (closing.aborted) process.exit(exitCode.interrupted);
    orphaned.abort(new Error("the parent process has gone"));
  });
  // It does not keep a gateway running that has closed.
  process.channel?.unref();
  return {
    share: (config) => workerConfig(config, Number(number), Number(workers)),
    serving: () => process.send?.("serving"),
    orphaned: orphaned.signal,
  };
}

export interface WorkerOptions {
  readonly number: number;
  readonly workers: number;
  readonly port: number;
  readonly configPath: string;
  readonly logPath: string;
  /** Gets the lines that it prints for people. */
  readonly tell: (line: string, isError: boolean) => void;
  readonly onServing: (child: ChildProcess) => void;
}

/** This program once more, as a worker. */
export function worker(options: WorkerOptions): ProcessToKeep {
  const { number, workers, port, configPath, logPath, tell, onServing } = options;
  const args = ["serve", "--config", configPath, "--port", String(port)];
  const env = {
    ...process.env,
    [variable]: `${number}/${workers}`,
    SERVICE_GATEWAY_LOG_PATH: numbered(logPath, number),
  };
  return {
    name: `worker ${number}`,
    start() {
      // Detached: a terminal's signals reach the parent only, which passes them on.
      const child = fork(process.argv[1] ?? "", args, {
        ...{ env, detached: true, stdio: ["ignore", "pipe", "pipe", "ipc"] },
      });
      for (const [output, isError] of [
        [child.stdout, false] as const,
        [child.stderr, true] as const,
      ])
        if (output !== null)
          createInterface({ input: output }).on("line", (line) => tell(line, isError));
      return child;
    },
    ready: (child) =>
      new Promise<void>((resolve) => {
        child.once("message", () => {
          onServing(child);
          resolve();
        });
      }),
    end: (child) => void child.kill("SIGTERM"),
  };
}

/** The code of all processes together. */
export const worst = (codes: readonly (number | null)[]): number =>
  codes.every((code) => code === exitCode.done) ? exitCode.done : exitCode.no;
