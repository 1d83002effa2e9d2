import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFront, type ServiceLog } from "@proj/gateway-core";
import { type GatewayConfig, loadConfig } from "@proj/gateway-protocol";
import { checkStorage } from "./worker-config.ts";
import type { WorkerMessage } from "./worker-messages.ts";
import { WorkerPool } from "./worker-pool.ts";

export interface ServeWorkersOptions {
  readonly config: GatewayConfig;
  readonly configPath: string;
  readonly workers: number;
  readonly logPath: string;
  readonly log: ServiceLog;
  readonly signal: AbortSignal;
  /** Called when all workers serve behind this URL. */
  readonly onServing: (url: string) => void;
  /** Called when the shutdown begins. */
  readonly onEnding: () => void;
}

/**
 * Serves with several gateways behind one address until the signal ends it.
 * @returns the number of rows that could not be written
 * @throws ProgramError, UsageError it cannot serve; with the reason
 */
export async function serveWorkers(options: ServeWorkersOptions): Promise<number> {
  const { config, configPath, workers, logPath, log, signal } = options;
  checkStorage(config, workers);
  const front = createFront(config);
  // Only this user may enter: only the front may connect to a worker's socket.
  const folder = mkdtempSync(join(tmpdir(), "gateway-workers-"));
  const pool = new WorkerPool({
    ...{ configPath, logPath, folder, workers, front, log },
    onWaiting: (message) => console.error(`Waiting for the database. ${message}`),
  });
  let lostRows = 0;
  const onHangUp = (): void => void reload(pool, configPath);
  try {
    const { url } = await front.listen();
    await pool.start(signal);
    process.on("SIGHUP", onHangUp);
    if (!signal.aborted) {
      options.onServing(url);
      await once(signal, "abort");
    }
    options.onEnding();
  } finally {
    process.off("SIGHUP", onHangUp);
    lostRows = await pool.close(String(signal.reason ?? "a worker cannot start"));
    await front.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return lostRows;
}

async function reload(pool: WorkerPool, configPath: string): Promise<void> {
  try {
    // An invalid file is reported once, without asking the workers.
    loadConfig(configPath);
    const answers = await pool.reload();
    const problems = answers.map(problemOf).filter((each) => each !== null);
    if (problems.length > 0) throw new Error([...new Set(problems)].join("\n"));
    const [first] = answers;
    const routes = first?.kind === "reloaded" ? first.routes : null;
    console.log(`SIGHUP: routes ${JSON.stringify(routes)}`);
  } catch (error) {
    console.error(`SIGHUP: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function problemOf(message: WorkerMessage): string | null {
  if (message.kind === "reloaded") return message.problem;
  return message.kind === "failed" ? message.messages.join("\n") : null;
}
