import { askEndpoint, type EndpointOptions, readEndpoint } from "../answer/ask-endpoint.ts";
import type { AgentRuntime } from "./agent-runtime.ts";
import { askedRuntime } from "./asked-runtime.ts";

/**
 * A runtime behind HTTP: the start request is posted as JSON, and the answer's body is the result. It may take as
 * long as the launcher allows. A simulation is never posted twice; an abort closes the connection, which tells the
 * server that nothing waits for its answer. If the run is traced, the header `traceparent` has its trace context.
 * @throws TypeError `url` is not an http or https URL
 */
export function httpRuntime(url: string, options: EndpointOptions = {}): AgentRuntime {
  const endpoint = readEndpoint(url, options);
  const { description, secrets } = endpoint;
  return askedRuntime(
    description,
    ({ request, traceparent, signal, mask }) =>
      askEndpoint(endpoint, { body: { json: request }, traceparent, mask, signal }),
    secrets,
  );
}
