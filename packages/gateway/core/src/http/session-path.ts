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
