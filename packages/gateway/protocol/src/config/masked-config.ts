import { isSecretName, maskUrl } from "@proj/program/configuration";
import type { GatewayConfig, RouteConfig } from "../config.ts";

const mask = "***";

/** A configuration that may be shown: every credential in it is replaced by `***`. */
export function maskedConfig(config: GatewayConfig): GatewayConfig {
  const { storage_config, auth, opentelemetry, deprecations } = config;
  return {
    ...config,
    storage_config: { ...storage_config, db_url: maskUrl(storage_config.db_url) },
    llm_routes: mapValues(config.llm_routes, maskRoute),
    auth: {
      ...auth,
      api_keys: auth.api_keys.map(({ name }) => ({ name, key: mask })),
      session_secret: auth.session_secret === null ? null : mask,
      previous_session_secret: auth.previous_session_secret === null ? null : mask,
    },
    opentelemetry: { ...opentelemetry, headers: mapValues(opentelemetry.headers, () => mask) },
    deprecations: {
      ...deprecations,
      feed: deprecations.feed === null ? null : maskUrl(deprecations.feed),
    },
  };
}

function maskRoute(route: RouteConfig): RouteConfig {
  return {
    ...route,
    base_urls: route.base_urls.map(maskUrl),
    api_key: route.api_key === null ? null : mask,
    // A header's name does not tell whether it is a credential.
    headers: mapValues(route.headers, () => mask),
    extra_body: maskMembers(route.extra_body),
    extra_body_stream: maskMembers(route.extra_body_stream),
  };
}

/** A copy in which every string under the name of a credential is masked, at any depth. */
function maskMembers(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const copy = structuredClone<Record<string, unknown>>(members);
  const waiting: object[] = [copy];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const [name, value] of Object.entries(next)) {
      if (typeof value === "object" && value !== null) waiting.push(value);
      if (typeof value === "string" && isSecretName(name)) Reflect.set(next, name, mask);
    }
  }
  return copy;
}

const mapValues = <V, R>(
  members: Readonly<Record<string, V>>,
  change: (value: V) => R,
): Record<string, R> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(value)]));
