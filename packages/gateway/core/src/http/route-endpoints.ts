import { fixedPaths, type GatewayConfig, type RouteListBody } from "@proj/gateway-protocol";
import type { RoutePause } from "@proj/session-store";
import { type Request, type RequestHandler, type Response, Router } from "express";
import type { BufferedBytes } from "../call/body-memory.ts";
import {
  type EnginePause,
  enginePauses,
  pauseEngine,
  resumeEngine,
} from "../engine/pause-engine.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { RouteReload } from "../route-reload.ts";
import type { RouteControl } from "../routes/route-control.ts";
import type { RouteTable } from "../routes/route-table.ts";
import type { AccessControl } from "./access-control.ts";
import { sendJson } from "./control-answer.ts";
import { readJsonObject } from "./json-body.ts";
import { onlyMethods } from "./only-methods.ts";
import { decodeRouteKey } from "./paths.ts";
import { type BodyPace, bodyPace } from "./read-body.ts";

export interface RouteEndpointDependencies {
  readonly config: GatewayConfig;
  readonly access: AccessControl;
  readonly buffered: BufferedBytes;
  readonly routeControl: RouteControl;
  readonly reload: RouteReload;
  readonly routes: RouteTable;
}

const defaultTimeoutS = 60;
const maxTimeoutS = 3_600;
const pauses: readonly RoutePause[] = ["hold", "drain", "refuse"];

/** `GET /v1/routes`, `POST /v1/routes/{key}/pause` and `/resume`; a key may contain slashes. */
export function routeEndpoints(dependencies: RouteEndpointDependencies): Router {
  const { access, routeControl, reload } = dependencies;
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route(fixedPaths.routes)
    .get((req, res) => {
      access.authenticate(req, null);
      sendJson(res, { routes: routeControl.statuses() } satisfies RouteListBody);
    })
    .all(onlyMethods("GET", "HEAD"));
  router
    .route(fixedPaths.reload)
    .post((req, res) => {
      access.authenticate(req, null);
      sendJson(res, reload.run());
    })
    .all(onlyMethods("POST"));
  router.use(serveRoute(dependencies));
  return router;
}

function serveRoute(dependencies: RouteEndpointDependencies): RequestHandler {
  const { config, access, buffered, routeControl, routes } = dependencies;
  const pace = bodyPace(config);
  const path = new RegExp(`^${fixedPaths.routes}/(.+)/(pause|resume)$`, "s");
  return async (req, res, next) => {
    const [, escaped, verb] = path.exec(req.path) ?? [];
    if (escaped === undefined) {
      next();
      return;
    }
    if (req.method !== "POST") {
      await onlyMethods("POST")(req, res, next);
      return;
    }
    access.authenticate(req, null);
    const model = decodeRouteKey(escaped);
    const body = await readBody(req, res, pace, buffered);
    if (verb === "resume") {
      const version = versionOf(body);
      const resumed = await routeControl.resume(model, version);
      // Before the engine goes on: what it samples from then on is of these weights.
      if (resumesEngine(body))
        await resumeEngine(model, routes.get(model).config, version, 1_000 * defaultTimeoutS);
      sendJson(res, resumed);
      return;
    }
    const gone = new AbortController();
    const leave = (): void => gone.abort();
    res.once("close", leave);
    try {
      const options = { timeoutMs: 1_000 * timeoutOf(body), gone: gone.signal };
      const enginePause = enginePauseOf(body);
      const paused = await routeControl.pause(model, pauseOf(body), options);
      if (enginePause !== null)
        await pauseEngine(model, routes.get(model).config, enginePause, options.timeoutMs);
      sendJson(res, paused);
    } finally {
      res.removeListener("close", leave);
    }
  };
}

const readBody = (req: Request, res: Response, pace: BodyPace, buffered: BufferedBytes) =>
  readJsonObject({ req, res }, pace, buffered);

type Members = Readonly<Record<string, unknown>>;

function pauseOf({ mode }: Members): RoutePause {
  const pause = pauses.find((each) => each === mode);
  if (pause !== undefined) return pause;
  throw invalid("mode", "'hold', 'drain' or 'refuse'");
}

function enginePauseOf({ engine }: Members): EnginePause | null {
  if (engine === undefined) return null;
  const pause = enginePauses.find((each) => each === engine);
  if (pause !== undefined) return pause;
  throw invalid("engine", "'abort', 'wait' or 'keep'");
}

function resumesEngine({ engine = false }: Members): boolean {
  if (typeof engine === "boolean") return engine;
  throw invalid("engine", "true or false");
}

function timeoutOf({ timeout_s = defaultTimeoutS }: Members): number {
  if (typeof timeout_s === "number" && timeout_s >= 0 && timeout_s <= maxTimeoutS) return timeout_s;
  throw invalid("timeout_s", `a number of seconds up to ${maxTimeoutS}`);
}

function versionOf({ weight_version }: Members): string | undefined {
  if (weight_version === undefined) return undefined;
  if (typeof weight_version === "string" && /^.{1,200}$/s.test(weight_version))
    return weight_version;
  throw invalid("weight_version", "a string of 1 to 200 characters");
}

const invalid = (param: string, what: string): GatewayError =>
  new GatewayError("invalid_request", `'${param}' must be ${what}.`, { param });
