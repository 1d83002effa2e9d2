import { join } from "node:path";
import { createGateway, type Gateway } from "@proj/gateway-core";
import { parseConfig } from "@proj/gateway-protocol";
import { temporaryFolder } from "@proj/test-kit";

export interface TestGateway extends AsyncDisposable {
  readonly gateway: Gateway;
  readonly url: string;
  readonly port: number;
  /** Of the database; a gateway that is started there again goes on with it. */
  readonly folder: string;
  readonly db_url: string;
  /** Asks the model as an agent does; resolves with the status of the answer. */
  chat(session_id: string, model?: string): Promise<number>;
  close(): Promise<void>;
}

export interface StartOptions {
  /** One that outlives the gateway. @default a temporary one */
  readonly folder?: string;
  /** @default the upstream of route `policy` does not exist */
  readonly config?: Readonly<Record<string, unknown>>;
  /** @default any free one */
  readonly port?: number;
}

/** A gateway with a SQLite database, in this process; it logs nothing. */
export async function startGateway(options: StartOptions = {}): Promise<TestGateway> {
  const temporary = options.folder === undefined ? await temporaryFolder() : null;
  const folder = options.folder ?? temporary?.path ?? "";
  const db_url = `sqlite://${join(folder, "gateway.db")}`;
  const file = {
    listen_port: options.port ?? 0,
    storage_config: { db_url },
    request_log: { enabled: false },
    llm_routes: { policy: { base_url: "http://127.0.0.1:9/v1" } },
    ...options.config,
  };
  const ignore = (): void => {};
  const log = { info: ignore, warn: ignore, error: ignore, close: async () => {} };
  // Every JSON text is YAML.
  const gateway = await createGateway(parseConfig(JSON.stringify(file), "test", {}), { log });
  const { url, port } = await gateway.listen();
  const close = async (): Promise<void> => {
    await gateway.close();
    await temporary?.remove();
  };
  const chat = async (session_id: string, model: string = "policy"): Promise<number> => {
    const response = await fetch(`${url}/v1/sessions/${session_id}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model, messages: [{ role: "user", content: "2 + 3" }] }),
    });
    await response.arrayBuffer();
    return response.status;
  };
  return { gateway, url, port, folder, db_url, chat, close, [Symbol.asyncDispose]: close };
}

/** The configuration of a gateway whose only route goes to that base URL. */
export const routeTo = (base_url: string): Readonly<Record<string, unknown>> => ({
  llm_routes: { policy: { base_url } },
});
