import type { Endpoint } from "../pipeline/call.ts";

/** A model endpoint; `session_segment` is the path's segment as it came, null where unbound. */
export interface ModelPath {
  readonly endpoint: Endpoint;
  readonly session_segment: string | null;
}

const suffixes = { "/chat/completions": "chat_completions", "/responses": "responses" } as const;

/** Recognises the paths of model traffic, which do not go through Express. */
export function createModelPathMatcher(
  base_session_path: string,
): (pathname: string) => ModelPath | null {
  const prefix = `${base_session_path}/`;
  const unbound: ReadonlyMap<string, ModelPath> = new Map(
    Object.entries(suffixes).map(([suffix, endpoint]) => [
      `/v1${suffix}`,
      { endpoint, session_segment: null },
    ]),
  );
  return (pathname) => {
    const found = unbound.get(pathname);
    if (found !== undefined) return found;
    if (!pathname.startsWith(prefix)) return null;
    const slash = pathname.indexOf("/", prefix.length);
    if (slash < 0) return null;
    const suffix = pathname.slice(slash);
    if (suffix !== "/chat/completions" && suffix !== "/responses") return null;
    return { endpoint: suffixes[suffix], session_segment: pathname.slice(prefix.length, slash) };
  };
}

/** The path of a request's target, without its query. */
export function pathnameOf(url: string): string {
  const query = url.indexOf("?");
  return query < 0 ? url : url.slice(0, query);
}
