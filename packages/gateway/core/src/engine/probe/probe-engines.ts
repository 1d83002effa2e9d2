import type { EngineProbeBody, RouteConfig } from "@proj/gateway-protocol";
import { endpointsByName } from "@proj/model-apis";
import { LiveUpstream, type LiveUpstreamOptions } from "../../upstream/live-upstream.ts";
import { Engines } from "../engines.ts";
import { probeEngine } from "./probe-engine.ts";

/** For all that one engine is asked: a launcher waits half as long again. */
const probeMs = 60_000;

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
  const late = AbortSignal.timeout(probeMs);
  const signal = options.signal === undefined ? late : AbortSignal.any([options.signal, late]);
  // The probe's questions are its own, but for the chat template's variables.
  const asked = { ...route, extra_body: {} };
  const upstreams = await Promise.all(
    route.base_urls.map(async (baseUrl) => {
      const { chat_completions } = endpointsByName;
      const upstream = new LiveUpstream(baseUrl, asked, chat_completions, { ...options, signal });
      const findings = await probeEngine({ model, route, engine, upstream, opened }, signal);
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
