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
export const cloudRows = async (db_url: string): Promise<StoredRow[]> =>
  (await queryCloud<RowWithMeta>(db_url, allRows)).map(toStoredRow);

/** All rows in the order in which they were stored, read once the program has ended. */
export const storedRows = (folder: string): StoredRow[] =>
  queryFile<RowWithMeta>(folder, allRows).map(toStoredRow);

const allValues = "select content from stored_values";

/** The large values of all sessions and jobs. */
export const cloudValues = async (db_url: string): Promise<string[]> =>
  (await queryCloud<Value>(db_url, allValues)).map(({ content }) => content);
export const storedValues = (folder: string): string[] =>
  queryFile<Value>(folder, allValues).map(({ content }) => content);

interface Value {
  readonly content: string;
}

async function queryCloud<Row extends object>(db_url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: db_url });
  await client.connect();
  const { rows } = await client.query<Row>(sql).finally(() => client.end());
  return rows;
}

function queryFile<Row>(folder: string, sql: string): Row[] {
  const database = new Database(join(folder, "gateway.db"));
  try {
    const damage = database.pragma("integrity_check", { simple: true });
    if (damage !== "ok") throw new Error(`The database is damaged: ${damage}`);
    return database.prepare<[], Row>(sql).all();
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
