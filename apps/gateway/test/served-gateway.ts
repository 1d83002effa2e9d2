import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { Client } from "pg";
import { startGatewayProcess } from "./gateway-process.ts";

export interface ServedGateway {
  readonly program: ReturnType<typeof startGatewayProcess>;
  readonly url: string;
}

export interface StoredRow {
  readonly session_id: string;
  readonly step_id: number;
  readonly request_id: string;
  readonly status_code: number;
  readonly outcome: string;
  /** `meta_json`, parsed. */
  readonly meta: Readonly<Record<string, unknown>>;
  readonly messages: string;
}

/**
 * Resolves once the program serves, with a database in the folder; the next one continues where it was killed.
 * @param route additional members of the route, in YAML
 */
export async function serveGateway(
  folder: string,
  upstreamUrl: string,
  more: string = "",
  storage: string = "storage_config: { db_url: sqlite://gateway.db }",
  route: string = "",
): Promise<ServedGateway> {
  const config = `
listen_port: 0
${storage}
request_log: { enabled: false }
llm_routes: { policy: { base_url: "${upstreamUrl}", ${route} } }
${more}
`;
  await writeFile(join(folder, "gateway.yaml"), config);
  const program = startGatewayProcess(["--config", "gateway.yaml"], { cwd: folder });
  const url = (await program.line(/^gateway +http/)).replace(/^gateway +/, "");
  return { program, url };
}

const allRows = `select session_id, step_id, request_id, status_code, meta_json, messages
  from session_steps order by id`;

/** Likewise from a PostgreSQL database. */
export async function cloudRows(db_url: string): Promise<StoredRow[]> {
  const client = new Client({ connectionString: db_url });
  await client.connect();
  const { rows } = await client.query(allRows).finally(() => client.end());
  return rows.map(toStoredRow);
}

/** All rows in the order in which they were stored, read once the program has ended. */
export function storedRows(folder: string): StoredRow[] {
  const database = new Database(join(folder, "gateway.db"));
  try {
    const damage = database.pragma("integrity_check", { simple: true });
    if (damage !== "ok") throw new Error(`The database is damaged: ${damage}`);
    return database.prepare<[], RowWithMeta>(allRows).all().map(toStoredRow);
  } finally {
    database.close();
  }
}

type RowWithMeta = Omit<StoredRow, "outcome" | "meta"> & { readonly meta_json: string };

function toStoredRow({ meta_json, ...row }: RowWithMeta): StoredRow {
  const meta = JSON.parse(meta_json);
  return { ...row, outcome: meta.outcome, meta };
}

export const say = (content: string): object => ({ role: "user", content });

/** With tools, like an agent's requests: large enough that comparing a history with the previous one pays. */
const tools = [{ type: "function", function: { name: "look", description: "x".repeat(8192) } }];

export function postChat(
  url: string,
  session_id: string,
  stream: boolean = false,
  messages: readonly object[] = [say("Hi")],
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${url}/v1/sessions/${session_id}/chat/completions`, {
    method: "POST",
    headers,
    body: JSON.stringify({ model: "policy", stream, messages, tools }),
  });
}
