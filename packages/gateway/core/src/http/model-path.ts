import type { Endpoint } from "@proj/model-apis";
import { endpoints } from "@proj/model-apis";
import { createSessionPathSplitter } from "./session-path.ts";

/** A model endpoint; `session_segment` is the path's segment as it came, null without a session. */
export interface ModelPath {
  readonly endpoint: Endpoint;
  readonly session_segment: string | null;
}

const unboundPath = ({ path }: Endpoint): string => `/v1${path}`;

/** A session's model endpoints, by the path after its id; some clients append `/v1` to any base URL. */
export const sessionModelPaths: ReadonlyMap<string, Endpoint> = new Map(
  endpoints.flatMap((endpoint) => [
    [endpoint.path, endpoint],
    [unboundPath(endpoint), endpoint],
  ]),
);

/** The model endpoints with fixed paths, whatever `base_session_path` says. */
export const unboundModelPaths: readonly string[] = endpoints.map(unboundPath);

/** Recognises the paths of model traffic, which bypasses Express. */
export function createModelPathMatcher(
  base_session_path: string,
): (pathname: string) => ModelPath | null {
  const split = createSessionPathSplitter(base_session_path);
  const unbound: ReadonlyMap<string, ModelPath> = new Map(
    endpoints.map((endpoint) => [unboundPath(endpoint), { endpoint, session_segment: null }]),
  );
  return (pathname) => {
    const found = unbound.get(pathname);
    if (found !== undefined) return found;
    const path = split(pathname);
    const endpoint = path === null ? undefined : sessionModelPaths.get(path.endpoint);
    if (path === null || endpoint === undefined) return null;
    return { endpoint, session_segment: path.segment };
  };
}
