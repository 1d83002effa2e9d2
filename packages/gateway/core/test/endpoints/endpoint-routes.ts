import { apiOf } from "@proj/model-apis";
import type { TestGateway } from "../start-gateway.ts";
import { endpointCases } from "./endpoint-cases.ts";

export const apis: readonly string[] = [...new Set(endpointCases.map(({ name }) => apiOf[name]))];

/** A route for all APIs, one with members of its own, and one for each API alone. */
export function routesTo(base_url: string): Readonly<Record<string, object>> {
  const route = { base_url, endpoints: apis };
  const narrow = apis.map((name) => [`only ${name}`, { ...route, endpoints: [name] }]);
  const steered = { ...route, upstream_model: "m", extra_body: { return_token_ids: true } };
  return { policy: route, steered, ...Object.fromEntries(narrow) };
}

/** Replaces values that differ between runs. */
export const steady = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<request_id>")
    .replaceAll(/"(created|created_at|completed_at)":\d+/g, '"$1":0');

export function rowCount(gateway: TestGateway): unknown {
  return gateway.database((database) =>
    database.prepare("select count(*) from session_steps").pluck().get(),
  );
}
