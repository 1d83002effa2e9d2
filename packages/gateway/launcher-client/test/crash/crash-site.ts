import { fileURLToPath } from "node:url";
import { type JobStore, openJobStore } from "@proj/session-store";
import {
  chatCompletion,
  type RunningProcess,
  startBundled,
  startFaultyUpstream,
  waitFor,
} from "@proj/test-kit";
import { createGatewayClient, type GatewayClient } from "../../src/index.ts";
import { temporaryStorage } from "../temporary-storage.ts";

/** A gateway in its own process, with its storage and its upstream. */
export interface CrashSite extends AsyncDisposable {
  readonly gateway: GatewayClient;
  readonly store: JobStore;
  readonly db_url: string;
  readonly llm_model: string;
  /** Starts a program from this folder; it is killed with the site. */
  start(program: string, ...args: readonly string[]): RunningProcess;
  /** The session of that job with a request that the upstream holds unanswered. */
  heldSession(job_id: string): Promise<string>;
  /** Sends SIGKILL. @returns a function that starts it again with the same port and database */
  killGateway(): Promise<() => Promise<void>>;
}

export async function startCrashSite(): Promise<CrashSite> {
  const storage = await temporaryStorage();
  /** Sessions by the job that the agent names; one for each job. */
  const held = new Map<string, string>();
  const upstream = await startFaultyUpstream(async ({ headers }, reply) => {
    const { "x-hold": job_id, "x-session-id": session_id } = headers;
    if (job_id === undefined || held.has(job_id)) await reply.json(chatCompletion());
    else held.set(job_id, String(session_id));
  });
  const started: RunningProcess[] = [];
  const start = (program: string, ...args: readonly string[]): RunningProcess => {
    const file = fileURLToPath(new URL(program, import.meta.url));
    const running = startBundled(file, args);
    started.push(running);
    return running;
  };
  let server: RunningProcess;
  const startGateway = async (port: string): Promise<URL> => {
    const { db_url } = storage;
    server = start("./gateway-program.ts", db_url, upstream.url, port);
    const line = await server.line(/^listening at /);
    return new URL(line.replace("listening at ", ""));
  };
  const { origin, port } = await startGateway("0");
  const gateway = createGatewayClient({ baseUrl: origin });
  const store = await openJobStore(storage);
  return {
    gateway,
    store,
    db_url: storage.db_url,
    llm_model: "policy",
    start,
    heldSession: (job_id) => waitFor(() => held.get(job_id), "a request that the upstream holds"),
    killGateway: async () => {
      server.kill("SIGKILL");
      await server.exit();
      return async () => void (await startGateway(port));
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(started.map((running) => running[Symbol.asyncDispose]()));
      gateway.end();
      await store.close();
      await upstream.close();
      await storage[Symbol.asyncDispose]();
    },
  };
}
