import { afterAll, beforeAll } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { startUpstreamBySession, type UpstreamBySession } from "./upstream-by-session.ts";

interface SharedGateway {
  readonly upstream: UpstreamBySession;
  readonly gateway: TestGateway;
  /** The `step_id` of a session's latest success with the model `policy`, or null. */
  latestSuccess(session_id: string): Promise<unknown>;
}

/**
 * One gateway and its upstream for all tests of a file, each with its own session. An `afterAll` of the file
 * still finds them open.
 * @param config added to the configuration
 * @param route added to the route `policy`
 */
export function sharedGateway(
  config: Record<string, unknown> = {},
  route: Record<string, unknown> = {},
): SharedGateway {
  let started: { upstream: UpstreamBySession; gateway: TestGateway } | undefined;
  const open = () => {
    if (started === undefined) throw new Error("The shared gateway is open only during tests.");
    return started;
  };
  beforeAll(async () => {
    const upstream = await startUpstreamBySession();
    const llm_routes = { policy: { base_url: upstream.url, ...route } };
    started = { upstream, gateway: await startGateway({ llm_routes, ...config }) };
  });
  afterAll(async () => {
    await open().gateway.close();
    await open().upstream.close();
  });
  return {
    get upstream() {
      return open().upstream;
    },
    get gateway() {
      return open().gateway;
    },
    async latestSuccess(session_id) {
      const url = `${open().gateway.sessionUrl(session_id)}/latest-success-step?model=policy`;
      const body = (await (await fetch(url)).json()) as { step_id: unknown };
      return body.step_id;
    },
  };
}
