import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type RunningProcess, temporaryFolder } from "@proj/test-kit";
import { temporaryPostgres } from "@proj/test-kit/postgres";
import { Client } from "pg";
import { apiKey, model, type StoredRow } from "../deploy/site.ts";
import { startGatewayProcess } from "../gateway-process.ts";

export interface ServedWorkers extends AsyncDisposable {
  readonly program: RunningProcess;
  readonly url: string;
  readonly configPath: string;
  readonly db_url: string;
  readonly folder: string;
  /** The configuration's text, with these routes. */
  config(routes: string): string;
  /** The pids of the workers that are running now. */
  workerPids(): Promise<readonly number[]>;
  /** The pid of HAProxy. */
  balancerPid(): Promise<number>;
  storedRows(): Promise<readonly StoredRow[]>;
}

/** Four processes have to start, possibly on a busy machine. */
const maxStartMs = 90_000;

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
  await writeFile(
    configPath,
    config(`{ ${model}: { base_url: "${upstreamUrl}", max_concurrency: 64 } }`),
  );
  const args = ["--config", configPath, "--workers", "2"];
  const program = startGatewayProcess(args, { cwd: folder.path });
  const dispose = async (): Promise<void> => {
    await program[Symbol.asyncDispose]();
    await postgres[Symbol.asyncDispose]();
    await folder.remove();
  };
  try {
    const url = (await program.line(/^gateway +http/, maxStartMs)).replace(/^gateway +/, "");
    return {
      program,
      url,
      configPath,
      db_url: postgres.url,
      folder: folder.path,
      config,
      workerPids: () => namedChildren(program.pid ?? 0, "node"),
      balancerPid: async () => {
        const [shell = 0] = await namedChildren(program.pid ?? 0, "sh");
        const [pid = 0] = await namedChildren(shell, "haproxy");
        return pid;
      },
      storedRows: () => storedRows(postgres.url),
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Those whose program has this name. */
async function namedChildren(pid: number, name: string): Promise<readonly number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  const found: number[] = [];
  for (const child of children.trim().split(" ").filter(Boolean)) {
    const command = await readFile(`/proc/${child}/cmdline`, "utf8").catch(() => "");
    if (basename(command.split("\0")[0] ?? "").startsWith(name)) found.push(Number(child));
  }
  return found;
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
