import type { EngineFinding, EngineProbeBody, RouteConfig } from "@proj/gateway-protocol";
import { endpointsByName } from "@proj/model-apis";
import {
  LiveUpstream,
  type LiveUpstreamOptions,
  whyUnreachable,
} from "../../upstream/live-upstream.ts";
import { Engines } from "../engines.ts";
import { probeEngine } from "./probe-engine.ts";

/**
 * Asks the engines of a route whether what they sample can be trained on: a few tokens of each upstream.
 * @param engines whose vocabularies are used
 */
export async function probeRoute(
  model: string,
  route: RouteConfig,
  engines: Engines,
  options: LiveUpstreamOptions = {},
): Promise<EngineProbeBody> {
  const { engine } = route;
  const opened = engines.of(route, model);
  if (engine === null || opened === null) return { model, engine, upstreams: [] };
  const upstreams = await Promise.all(
    route.base_urls.map(async (baseUrl) => {
      const upstream = new LiveUpstream(baseUrl, route, endpointsByName.chat_completions, options);
      const findings = await probeEngine({ model, route, engine, upstream, opened }).catch(
        (error: unknown): EngineFinding[] => [
          { check: "token_ids", level: "failed", message: whyUnreachable(error) },
        ],
      );
      return { upstream: upstream.name, findings };
    }),
  );
  return { model, engine, upstreams };
}

/** As `probeRoute`, for every route with an engine. */
export function probeEngines(
  routes: Readonly<Record<string, RouteConfig>>,
  options: LiveUpstreamOptions = {},
): Promise<EngineProbeBody[]> {
  const engines = new Engines(
    async () => {},
    () => {},
  );
  const probed = Object.entries(routes).filter(([, { engine }]) => engine !== null);
  return Promise.all(probed.map(([model, route]) => probeRoute(model, route, engines, options)));
}
