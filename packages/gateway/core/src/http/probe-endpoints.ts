import { fixedPaths, type GatewayConfig, type HealthBody } from "@proj/gateway-protocol";
import { Router } from "express";
import type { Metrics } from "../metrics/metrics.ts";
import { scrapeFormat } from "../metrics/scrape-format.ts";
import type { RouteTable } from "../routes/route-table.ts";
import type { AccessControl } from "./access-control.ts";
import type { ConsolePage } from "./console-endpoints.ts";
import { sendJson, sendText } from "./control-answer.ts";
import { modelList, modelOf } from "./model-list.ts";
import { onlyMethods } from "./only-methods.ts";
import { type Readiness, readinessBody } from "./readiness.ts";

export interface ProbeDependencies {
  readonly config: GatewayConfig;
  readonly storage_id: string;
  readonly access: AccessControl;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  readonly routes: RouteTable;
  readonly console: Pick<ConsolePage, "path"> | null;
}

const modelPath = `${fixedPaths.models}/`;

/** `/healthz`, `/readyz`, `/metrics`, `/v1/models` and `/v1/models/{id}`. */
export function probeEndpoints(dependencies: ProbeDependencies): Router {
  const { config, storage_id, access, metrics, readiness, routes } = dependencies;
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route(fixedPaths.healthz)
    .get((_req, res) => sendJson(res, { status: "ok" } satisfies HealthBody))
    .all(onlyMethods("GET", "HEAD"));
  router
    .route(fixedPaths.readyz)
    .get(async (_req, res) => {
      await readiness.refresh();
      const { status } = readiness;
      const { warnings } = readiness;
      const console_path = dependencies.console?.path ?? null;
      const body = readinessBody(config, status, storage_id, { warnings, console_path });
      sendJson(res, body, status === "ready" ? 200 : 503);
    })
    .all(onlyMethods("GET", "HEAD"));
  router
    .route(fixedPaths.metrics)
    .get(async (req, res) => {
      if (!config.auth.open_metrics) access.authenticate(req, null);
      const { contentType, body } = await metrics.render(scrapeFormat(req.headers.accept));
      sendText(res, contentType, body);
    })
    .all(onlyMethods("GET", "HEAD"));
  router
    .route(fixedPaths.models)
    .get((req, res) => {
      access.authenticate(req, null);
      sendJson(res, modelList(routes, req.headers));
    })
    .all(onlyMethods("GET", "HEAD"));
  router.use((req, res, next) => {
    const escaped = req.path.startsWith(modelPath) ? req.path.slice(modelPath.length) : "";
    if (escaped === "") next();
    else if (!["GET", "HEAD"].includes(req.method)) onlyMethods("GET", "HEAD")(req, res, next);
    else {
      access.authenticate(req, null);
      sendJson(res, modelOf(routes, escaped, req.headers));
    }
  });
  return router;
}
