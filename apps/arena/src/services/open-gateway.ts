import { join } from "node:path";
import { consolePage } from "@proj/console";
import { startDemoUpstream } from "@proj/demo-upstream";
import { createGateway, createServiceLog } from "@proj/gateway-core";
import { parseConfig } from "@proj/gateway-protocol";
import type { Services } from "./services.ts";

/** The route that all traders call. */
export const route = "trader";

/** A chat completions server, and the model to request there. */
export interface ArenaModel {
  readonly base_url: string;
  readonly name: string;
  /** @default null */
  readonly api_key?: string | null;
}

export interface GatewayOptions {
  readonly folder: string;
  /** Null: the small built-in model, which trades by the seed. */
  readonly model: ArenaModel | null;
  readonly seed: number;
  /** Most model answers per trader. */
  readonly max_steps: number;
}

export interface ArenaGateway {
  readonly url: string;
  readonly db_url: string;
}

/** Opens a gateway that records every step, in front of the model. */
export async function openGateway(
  services: Services,
  { folder, model, seed, max_steps }: GatewayOptions,
): Promise<ArenaGateway> {
  const db_url = `sqlite://${join(folder, "arena.db")}`;
  const config = {
    ...{ listen_port: 0, max_steps, request_log: { enabled: false } },
    storage_config: { db_url },
    llm_routes: { [route]: await routeTo(services, model, seed) },
  };
  const log = createServiceLog({ path: join(folder, "gateway.log") });
  services.add(log, (opened) => opened.close());
  const gateway = await createGateway(parseConfig(JSON.stringify(config), "the arena"), {
    ...{ log, console: consolePage },
  });
  services.add(gateway, (opened) => opened.close());
  const { url } = await gateway.listen();
  return { url, db_url };
}

async function routeTo(
  services: Services,
  model: ArenaModel | null,
  seed: number,
): Promise<object> {
  if (model !== null) {
    const { base_url, name: upstream_model, api_key = null } = model;
    return { base_url, upstream_model, ...(api_key === null ? {} : { api_key }) };
  }
  const upstream = services.add(await startDemoUpstream(), (opened) => opened.close());
  return { base_url: upstream.url, extra_body: { demo: { trading: { seed } } } };
}
