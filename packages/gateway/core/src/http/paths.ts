import { type Endpoint, endpoints, namesModel, readPath, type ToldByPath } from "@proj/model-apis";
import { GatewayError } from "../errors/gateway-error.ts";

/** A path below `base_session_path`, split after the session id. */
export interface SessionPath {
  /** The segment with the session id as it was sent, including percent-escapes. */
  readonly segment: string;
  /** The rest: an endpoint of the session, beginning with a slash, or nothing. */
  readonly endpoint: string;
}

/** Splits a session's path; null for any other path, including `base_session_path` itself. */
export function createSessionPathSplitter(
  base_session_path: string,
): (pathname: string) => SessionPath | null {
  const prefix = `${base_session_path}/`;
  return (pathname) => {
    if (!pathname.startsWith(prefix)) return null;
    const slash = pathname.indexOf("/", prefix.length);
    const end = slash < 0 ? pathname.length : slash;
    return { segment: pathname.slice(prefix.length, end), endpoint: pathname.slice(end) };
  };
}

/** The path of a request's target without its query. */
export function pathnameOf(url: string): string {
  const query = url.indexOf("?");
  return query < 0 ? url : url.slice(0, query);
}

export function invalidSessionId(): GatewayError {
  return new GatewayError(
    "invalid_session_id",
    "The session id in the path is not valid: it takes 1 to 128 of A-Z a-z 0-9 . _ ~ : @ + = , - and neither '.' nor '..'.",
  );
}

/** A model endpoint; `session_segment` is the path's segment as it came, null without a session. */
export interface ModelPath {
  readonly endpoint: Endpoint;
  /** What the path says in the body's place; null: the body says it. */
  readonly told: ToldByPath | null;
  readonly session_segment: string | null;
}

type FoundPath = Omit<ModelPath, "session_segment">;

const fixedPaths: ReadonlyMap<string, FoundPath> = new Map(
  endpoints
    .filter((endpoint) => !namesModel(endpoint))
    .map((endpoint) => [endpoint.path, { endpoint, told: null }]),
);
const namingModels: readonly Endpoint[] = endpoints.filter(namesModel);

/** The endpoint of a path below a version or a session; null if there is none. */
function findPath(path: string): FoundPath | null {
  const fixed = fixedPaths.get(path);
  if (fixed !== undefined) return fixed;
  for (const endpoint of namingModels) {
    const told = readPath(endpoint, path);
    if (told !== null) return { endpoint, told };
  }
  return null;
}

/** The version in front of a path: that of the APIs with fixed paths, or one that Google's clients send. */
const version = /^\/v1(?:beta|alpha)?(?=\/)/;

/** A model endpoint without a session, whatever `base_session_path` says. */
export function findUnboundPath(pathname: string): FoundPath | null {
  const [prefix] = version.exec(pathname) ?? [];
  if (prefix === undefined) return null;
  const found = findPath(pathname.slice(prefix.length));
  return found !== null && (prefix === "/v1" || found.told !== null) ? found : null;
}

/** A session's model endpoint, by the path after its id; some clients append a version to any base URL. */
export const findSessionPath = (path: string): FoundPath | null =>
  findPath(path) ?? findUnboundPath(path);

/** Recognises the paths of model traffic, which bypasses Express. */
export function createModelPathMatcher(
  base_session_path: string,
): (pathname: string) => ModelPath | null {
  const split = createSessionPathSplitter(base_session_path);
  return (pathname) => {
    const unbound = findUnboundPath(pathname);
    if (unbound !== null) return { ...unbound, session_segment: null };
    const path = split(pathname);
    const found = path === null ? null : findSessionPath(path.endpoint);
    return path === null || found === null ? null : { ...found, session_segment: path.segment };
  };
}

/**
 * @param escaped a route key as it is in a path
 * @throws GatewayError invalid_request
 */
export function decodeRouteKey(escaped: string): string {
  try {
    return decodeURIComponent(escaped);
  } catch {
    throw new GatewayError(
      "invalid_request",
      "The route key in the path has a malformed percent-escape.",
      { param: "model" },
    );
  }
}
