import { join } from "node:path";
import { createGateway, type GatewayDependencies } from "@proj/gateway-core";
import { parseConfig } from "@proj/gateway-protocol";
import { temporaryFolder } from "@proj/test-kit";
import Database from "better-sqlite3";
import { consolePage } from "../../src/index.ts";

export interface TestGateway extends AsyncDisposable {
  readonly url: string;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Runs against the database on a connection of its own. */
  database<T>(use: (database: Database.Database) => T): T;
}

/** A gateway with the console on a free port, with a database in a temporary folder. */
export async function startGateway(
  config: Readonly<Record<string, unknown>>,
  dependencies: Pick<GatewayDependencies, "notices"> = {},
): Promise<TestGateway> {
  const folder = await temporaryFolder();
  const path = join(folder.path, "gateway.db");
  const storage_config = { db_url: `sqlite://${path}` };
  const file = { listen_port: 0, request_log: { enabled: false }, storage_config, ...config };
  const ignore = (): void => {};
  const log = { info: ignore, warn: ignore, error: ignore, close: async () => {} };
  const gateway = await createGateway(parseConfig(JSON.stringify(file), "test", {}), {
    ...{ log, console: consolePage, ...dependencies },
  });
  const { url } = await gateway.listen();
  return {
    url,
    post: (path, body, headers = {}) =>
      fetch(url + path, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    database: (use) => {
      const connection = new Database(path);
      try {
        return use(connection);
      } finally {
        connection.close();
      }
    },
    async [Symbol.asyncDispose]() {
      await gateway.close();
      await folder.remove();
    },
  };
}
