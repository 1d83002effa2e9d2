import { createGateway, type Gateway } from "@proj/gateway-core";
import { parseConfig } from "@proj/gateway-protocol";
import type { StoreOptions } from "@proj/session-store";
import { temporaryStorage } from "./temporary-storage.ts";

export interface TestGateway extends AsyncDisposable {
  readonly gateway: Gateway;
  readonly url: string;
  readonly port: number;
  readonly db_url: string;
  /** Asks the model as an agent does; resolves with the answer's status. */
  chat(session_id: string, model?: string): Promise<number>;
  close(): Promise<void>;
}

export interface StartOptions {
  /** A storage that outlives the gateway. @default a temporary one */
  readonly storage?: StoreOptions;
  /** @default the upstream of route `policy` does not exist */
  readonly config?: Readonly<Record<string, unknown>>;
  /** @default any free port */
  readonly port?: number;
}

/** A gateway in this process, without a log. */
export async function startGateway(options: StartOptions = {}): Promise<TestGateway> {
  const temporary = options.storage === undefined ? await temporaryStorage() : null;
  const { storage_type, storage_config } = options.storage ?? (temporary as StoreOptions);
  const file = {
    listen_port: options.port ?? 0,
    storage_type,
    storage_config,
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
    await temporary?.[Symbol.asyncDispose]();
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
  return {
    gateway,
    url,
    port,
    db_url: storage_config.db_url,
    chat,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The configuration of a gateway with one route, which goes to that base URL. */
export const routeTo = (base_url: string): Readonly<Record<string, unknown>> => ({
  llm_routes: { policy: { base_url } },
});
