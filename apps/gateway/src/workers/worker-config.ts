import { extname } from "node:path";
import type { GatewayConfig } from "@proj/gateway-protocol";
import { UsageError } from "@proj/program";
import { storageKinds } from "@proj/session-store";

/** @throws UsageError the storage belongs to a single gateway */
export function checkStorage(config: GatewayConfig, workers: number): void {
  if (storageKinds[config.storage_type].isShared) return;
  throw new UsageError(
    `--workers ${workers} needs PostgreSQL (storage_type: cloud): a SQLite file belongs to one gateway. ` +
      "Leave out --workers to serve from it with one gateway.",
  );
}

/**
 * The configuration of one of several workers: its own files, and its share of the limits that hold
 * for all of them together. @param number counted from 1
 */
export function workerConfig(
  config: GatewayConfig,
  number: number,
  workers: number,
): GatewayConfig {
  const share = (limit: number): number => Math.max(1, Math.ceil(limit / workers));
  const routes = Object.entries(config.llm_routes).map(([model, route]) => {
    const max_concurrency = share(route.max_concurrency);
    return [model, { ...route, max_concurrency, max_queue: Math.ceil(route.max_queue / workers) }];
  });
  const { request_log } = config;
  return {
    ...config,
    // Callers come through the balancer.
    listen_host: "127.0.0.1",
    llm_routes: Object.fromEntries(routes),
    max_sessions: share(config.max_sessions),
    max_buffered_bytes: Math.max(config.max_body_bytes, share(config.max_buffered_bytes)),
    request_log: { ...request_log, path: numbered(request_log.path, number) },
  };
}

/** `logs/gateway.log` becomes `logs/gateway-1.log` for the first worker. */
export function numbered(path: string, number: number): string {
  const extension = extname(path);
  const stem = extension === "" ? path : path.slice(0, -extension.length);
  return `${stem}-${number}${extension}`;
}
