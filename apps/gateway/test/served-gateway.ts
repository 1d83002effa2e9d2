import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
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
}

/** The program, once it serves, with a database in the folder; a later one goes on where it was killed. */
export async function serveGateway(
  folder: string,
  upstreamUrl: string,
  more: string = "",
): Promise<ServedGateway> {
  const config = `
listen_port: 0
storage_config: { db_url: sqlite://gateway.db }
request_log: { enabled: false }
llm_routes: { policy: { base_url: "${upstreamUrl}" } }
${more}
`;
  await writeFile(join(folder, "gateway.yaml"), config);
  const program = startGatewayProcess(["--config", "gateway.yaml"], { cwd: folder });
  const url = (await program.line(/^gateway +http/, 20_000)).replace(/^gateway +/, "");
  return { program, url };
}

/** All rows in the order in which they were stored, read once the program has ended. */
export function storedRows(folder: string): StoredRow[] {
  const database = new Database(join(folder, "gateway.db"));
  try {
    const damage = database.pragma("integrity_check", { simple: true });
    if (damage !== "ok") throw new Error(`The database is damaged: ${damage}`);
    return database
      .prepare<[], StoredRow>(
        `select session_id, step_id, request_id, status_code, meta_json ->> 'outcome' as outcome
           from session_steps order by id`,
      )
      .all();
  } finally {
    database.close();
  }
}

export function postChat(
  url: string,
  session_id: string,
  stream: boolean = false,
): Promise<Response> {
  return fetch(`${url}/v1/sessions/${session_id}/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model: "policy", stream, messages: [{ role: "user", content: "Hi" }] }),
  });
}
