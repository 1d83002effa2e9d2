import { type ApiName, defaultApis, engineApis } from "@proj/model-apis/names";
import type { AuthConfig, GatewayConfig, RouteConfig, SideCallsConfig } from "../config.ts";

/** The configuration as its schema describes it, with every default filled in. */
export interface ConfigFile extends Omit<GatewayConfig, "llm_routes" | "auth"> {
  readonly llm_routes: Readonly<Record<string, RouteFile>>;
  readonly auth: Omit<AuthConfig, "api_keys"> & {
    readonly api_keys: readonly (string | { readonly name?: string; readonly key: string })[];
  };
}

export interface RouteFile extends Omit<RouteConfig, "base_urls"> {
  readonly base_url?: string;
  readonly base_urls?: readonly string[];
}

/** The form that the gateway works with. */
export function toGatewayConfig(file: ConfigFile): GatewayConfig {
  return {
    ...file,
    llm_routes: mapMembers(file.llm_routes, toRouteConfig),
    auth: {
      ...file.auth,
      api_keys: file.auth.api_keys.map((item) =>
        typeof item === "string"
          ? { name: null, key: item }
          : { name: item.name ?? null, key: item.key },
      ),
    },
  };
}

function toRouteConfig({ base_url, base_urls, ...route }: RouteFile): RouteConfig {
  const urls = base_urls ?? (base_url === undefined ? [] : [base_url]);
  return {
    ...route,
    base_urls: urls.map(withoutTrailingSlash),
    endpoints: route.engine === null ? [...new Set(route.endpoints)] : translated(route.endpoints),
    side_calls: route.side_calls === null ? null : toSideCalls(route.side_calls),
    headers: inLowerCase(route.headers),
    record_request_headers: [
      ...new Set(route.record_request_headers.map((name) => name.toLowerCase())),
    ],
    record_headers: [...new Set(route.record_headers.map((name) => name.toLowerCase()))],
  };
}

/** An engine serves the APIs that are translated for it: those that the route lists beside the defaults, or all. */
function translated(listed: readonly ApiName[]): readonly ApiName[] {
  const isDefault = listed.every((api) => defaultApis.includes(api));
  return isDefault ? engineApis : engineApis.filter((api) => listed.includes(api));
}

function toSideCalls({ route, when }: SideCallsConfig): SideCallsConfig {
  return {
    route,
    when: when.map((rule) =>
      rule.header === undefined ? rule : { ...rule, header: inLowerCase(rule.header) },
    ),
  };
}

const inLowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  mapMembers(
    headers,
    (value) => value,
    (name) => name.toLowerCase(),
  );

export const withoutTrailingSlash = (url: string): string => url.replace(/(?<!\/)\/+$/, "");

/** The result has no prototype: a lookup finds only what was put in, whatever the name. */
function mapMembers<V, R>(
  members: Readonly<Record<string, V>>,
  mapValue: (value: V) => R,
  mapName: (name: string) => string = (name) => name,
): Record<string, R> {
  const result: Record<string, R> = Object.create(null);
  for (const [name, value] of Object.entries(members)) result[mapName(name)] = mapValue(value);
  return result;
}
