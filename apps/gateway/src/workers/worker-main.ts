/** A process of `gateway --workers`: one gateway that listens where its parent says and obeys its commands. */
import {
  createGatewayOnceStorageAnswers,
  createServiceLog,
  type Gateway,
} from "@proj/gateway-core";
import { loadConfig } from "@proj/gateway-protocol";
import { exitCode, explainError, keepTicksFast } from "@proj/program";
import { limitCollections } from "../limit-collections.ts";
import { workerConfig } from "./worker-config.ts";
import type { WorkerCommand, WorkerMessage, WorkerSettings } from "./worker-messages.ts";

// A terminal's or supervisor's signals reach every process, but only the parent acts on them.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
keepTicksFast();
limitCollections();

const settings = JSON.parse(process.argv[2] ?? "{}") as WorkerSettings;
const { configPath, logPath, socketPath, number, workers } = settings;
const readConfig = () => workerConfig(loadConfig(configPath), number, workers);
const log = createServiceLog({ path: logPath });
const ending = new AbortController();
let gateway: Gateway | null = null;

/** Resolves when the parent has the message, or is gone. */
const tell = (message: WorkerMessage): Promise<void> =>
  new Promise((resolve) => {
    if (!process.connected || process.send === undefined) resolve();
    else process.send(message, undefined, undefined, () => resolve());
  });

async function close(reason: string): Promise<never> {
  ending.abort();
  log.info({ reason }, "shutting down");
  const { lost_rows } = (await gateway?.close()) ?? { lost_rows: 0 };
  log.info({ lost_rows }, "closed");
  await log.close();
  await tell({ kind: "closed", lost_rows });
  process.exit(lost_rows === 0 ? exitCode.done : exitCode.no);
}

function reload(reload_id: number): void {
  try {
    const routes = gateway?.reload() ?? null;
    log.info({ ...routes }, "routes were read again");
    void tell({ kind: "reloaded", reload_id, routes, problem: null });
  } catch (err) {
    log.error({ err }, "routes were not read again");
    const problem = err instanceof Error ? err.message : String(err);
    void tell({ kind: "reloaded", reload_id, routes: null, problem });
  }
}

process.on("message", (command: WorkerCommand) => {
  if (command.kind === "reload") reload(command.reload_id);
  else void close(command.reason);
});
process.on("disconnect", () => {
  // The parent was killed: finish what is in flight. A worker that is already closing ends at once.
  if (ending.signal.aborted) process.exit(exitCode.interrupted);
  void close("the parent process has gone");
});

try {
  gateway = await createGatewayOnceStorageAnswers(readConfig(), {
    log,
    socketPath,
    readConfig,
    signal: ending.signal,
    onWaiting: ({ message }) => void tell({ kind: "waiting", message }),
  });
  if (gateway !== null) {
    await gateway.listen();
    log.info({ pid: process.pid, number }, "serving");
    await tell({ kind: "serving" });
  }
} catch (error) {
  const { messages, exitCode: code } = explainError(error);
  await tell({ kind: "failed", messages, exitCode: code });
  process.exit(code);
}
