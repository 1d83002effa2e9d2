import type { SimulationStartRequest } from "@proj/gateway-protocol";

/** Where a session's endpoint is in a network of its own. Servers that agents start seldom want this port. */
export const sessionPort = 9417;

/** The start request for an agent in such a network: the same paths at the address that it has there. */
export function requestInside(request: SimulationStartRequest): SimulationStartRequest {
  const inside = (url: string): string => {
    const { pathname, search } = new URL(url);
    return `http://127.0.0.1:${sessionPort}${pathname}${search}`.replace(/\/$/, "");
  };
  const { gateway_base_url, llm_base_url } = request;
  return {
    ...request,
    gateway_base_url: inside(gateway_base_url),
    llm_base_url: inside(llm_base_url),
  };
}
