import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type RunningProcess, temporaryFolder } from "@proj/test-kit";
import { temporaryPostgres } from "@proj/test-kit/postgres";
import { Client } from "pg";
import { apiKey, headers, model, type StoredRow } from "../deploy/site.ts";
import { startGatewayProcess } from "../gateway-process.ts";

export interface ServedWorkers extends AsyncDisposable {
  readonly program: RunningProcess;
  readonly url: string;
  readonly configPath: string;
  readonly db_url: string;
  readonly folder: string;
  /** The configuration's text, with these routes. */
  config(routes: string): string;
  /** The pids of the workers that are serving now. */
  workerPids(): Promise<readonly number[]>;
  metrics(): Promise<string>;
  storedRows(): Promise<readonly StoredRow[]>;
}

/** Three processes have to start, possibly on a busy machine. */
const longestStartMs = 90_000;

/** `gateway --workers 2` on a new database, with one route. */
export async function startWorkers(upstreamUrl: string): Promise<ServedWorkers> {
  const folder = await temporaryFolder();
  const postgres = await temporaryPostgres();
  const configPath = join(folder.path, "gateway.yaml");
  const config = (routes: string): string => `
listen_port: 0
storage_type: cloud
storage_config: { db_url: "${postgres.url}" }
auth: { api_keys: [{ name: tests, key: "${apiKey}" }] }
drain_timeout_s: 30
llm_routes: ${routes}
`;
  await writeFile(configPath, config(`{ ${model}: { base_url: "${upstreamUrl}" } }`));
  const args = ["--config", configPath, "--workers", "2"];
  const program = startGatewayProcess(args, { cwd: folder.path });
  const dispose = async (): Promise<void> => {
    await program[Symbol.asyncDispose]();
    await postgres[Symbol.asyncDispose]();
    await folder.remove();
  };
  try {
    const url = (await program.line(/^gateway +http/, longestStartMs)).replace(/^gateway +/, "");
    return {
      program,
      url,
      configPath,
      db_url: postgres.url,
      folder: folder.path,
      config,
      workerPids: () => childrenOf(program.pid ?? 0),
      metrics: async () => (await fetch(`${url}/metrics`, { headers })).text(),
      storedRows: () => storedRows(postgres.url),
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  return children.trim().split(" ").filter(Boolean).map(Number);
}

async function storedRows(db_url: string): Promise<readonly StoredRow[]> {
  const client = new Client({ connectionString: db_url });
  await client.connect();
  try {
    const { rows } = await client.query<StoredRow>(
      `select session_id, step_id, status_code, response::json ->> 'id' as answer_id
       from session_steps order by id`,
    );
    return rows;
  } finally {
    await client.end();
  }
}

/** The sum of a counter's samples. */
export function counted(metrics: string, name: string): number {
  const samples = metrics.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, "gm"));
  return [...samples].reduce((sum, [, value]) => sum + Number(value), 0);
}
