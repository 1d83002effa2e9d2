import { join } from "node:path";
import { parseConfig } from "@proj/gateway-protocol";
import { temporaryFolder } from "@proj/test-kit";
import Database from "better-sqlite3";
import { stringify } from "yaml";
import {
  createGateway,
  type Gateway,
  type GatewayDependencies,
  type ServiceLog,
} from "../src/index.ts";

/** A row of `session_steps` as returned by SQLite. */
export interface StepRecord {
  readonly [column: string]: unknown;
  readonly request_id: string;
  readonly session_id: string;
  readonly model: string;
  readonly step_id: number;
  readonly status_code: number;
  readonly request: string | null;
  readonly response: string | null;
  readonly messages: string | null;
  /** `meta_json`, parsed. */
  readonly meta: Record<string, unknown>;
}

export interface TestGateway extends AsyncDisposable {
  readonly gateway: Gateway;
  readonly url: string;
  readonly port: number;
  readonly folder: string;
  readonly databasePath: string;
  readonly requestLogPath: string;
  /** The lines of the service log. */
  readonly logged: readonly LoggedLine[];
  /** Base URL of an SDK that joins the session. */
  sessionUrl(session_id: string): string;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** The rows of a session ordered by id, read over another connection. */
  steps(session_id: string): StepRecord[];
  /** Runs against the database on its own connection. */
  database<T>(use: (database: Database.Database) => T): T;
  close(): Promise<void>;
}

export interface LoggedLine {
  readonly level: "info" | "warn" | "error";
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/**
 * A gateway on a free port, with its own database in a temporary folder.
 * @param config the content of the YAML file; `folder` provides one that outlives the gateway
 */
export async function startGateway(
  config: Record<string, unknown>,
  options: { folder?: string } & Omit<GatewayDependencies, "log"> = {},
): Promise<TestGateway> {
  const { folder: given, ...dependencies } = options;
  const temporary = given === undefined ? await temporaryFolder() : null;
  const folder = given ?? temporary?.path ?? "";
  const databasePath = join(folder, "gateway.db");
  const requestLogPath = join(folder, "requests.jsonl");
  const file = {
    listen_port: 0,
    ...config,
    storage_config: { db_url: `sqlite://${databasePath}`, ...record(config.storage_config) },
    request_log: { path: requestLogPath, ...record(config.request_log) },
  };
  const logged: LoggedLine[] = [];
  const gateway = await createGateway(parseConfig(stringify(file), "test.yaml", {}), {
    log: collectLog(logged),
    ...dependencies,
  });
  const { url, port } = await gateway.listen();
  const database = <T>(use: (database: Database.Database) => T): T => {
    const connection = new Database(databasePath);
    try {
      return use(connection);
    } finally {
      connection.close();
    }
  };
  const close = async (): Promise<void> => {
    await gateway.close();
    await temporary?.remove();
  };
  return {
    gateway,
    url,
    port,
    folder,
    databasePath,
    requestLogPath,
    logged,
    sessionUrl: (session_id) => `${url}/v1/sessions/${session_id}`,
    post: (path, body, headers = {}) =>
      fetch(url + path, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    steps: (session_id) =>
      database((connection) =>
        connection
          .prepare<[string], StepRecord & { meta_json: string }>(
            "select * from session_steps where session_id = ? order by id",
          )
          .all(session_id)
          .map((row) => ({ ...row, meta: JSON.parse(row.meta_json) })),
      ),
    database,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function collectLog(logged: LoggedLine[]): ServiceLog {
  const at =
    (level: LoggedLine["level"]): ServiceLog["info"] =>
    (fields, message) => {
      logged.push({ level, fields, message });
    };
  return { info: at("info"), warn: at("warn"), error: at("error"), close: async () => {} };
}
