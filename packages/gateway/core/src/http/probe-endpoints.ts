import { fixedPaths, type HealthBody } from "@proj/gateway-protocol";
import type { Express } from "express";
import { scrapeFormat } from "../metrics/scrape-format.ts";
import { sendJson, sendText } from "./control-answer.ts";
import type { ControlDependencies } from "./control-dependencies.ts";
import { modelList, modelOf } from "./model-list.ts";
import { onlyMethods, onlyRead } from "./only-methods.ts";
import { readinessBody } from "./readiness.ts";

const modelPath = `${fixedPaths.models}/`;

/** `/healthz`, `/readyz`, `/metrics`, `/v1/models` and `/v1/models/{id}`. */
export function addProbes(app: Express, dependencies: ControlDependencies): void {
  const { config, store, access, metrics, readiness, routes } = dependencies;
  app
    .route(fixedPaths.healthz)
    .get((_req, res) => sendJson(res, { status: "ok" } satisfies HealthBody))
    .all(onlyMethods("GET", "HEAD"));
  app
    .route(fixedPaths.readyz)
    .get(async (_req, res) => {
      await readiness.refresh();
      const { status, warnings } = readiness;
      const console_path = dependencies.console?.path ?? null;
      const body = readinessBody(config, status, store.storage_id, { warnings, console_path });
      sendJson(res, body, status === "ready" ? 200 : 503);
    })
    .all(onlyMethods("GET", "HEAD"));
  app
    .route(fixedPaths.metrics)
    .get(async (req, res) => {
      if (!config.auth.open_metrics) access.authenticate(req, null);
      const { contentType, body } = await metrics.render(scrapeFormat(req.headers.accept));
      sendText(res, contentType, body);
    })
    .all(onlyMethods("GET", "HEAD"));
  onlyRead(app, fixedPaths.models, dependencies, ({ headers }) => modelList(routes, headers));
  app.use((req, res, next) => {
    const escaped = req.path.startsWith(modelPath) ? req.path.slice(modelPath.length) : "";
    if (escaped === "") next();
    else if (!["GET", "HEAD"].includes(req.method)) onlyMethods("GET", "HEAD")(req, res, next);
    else {
      access.authenticate(req, null);
      sendJson(res, modelOf(routes, escaped, req.headers));
    }
  });
}
