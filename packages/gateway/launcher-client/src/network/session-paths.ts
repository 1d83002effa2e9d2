/** A segment that a server may take for "here" or "the folder above", escaped or not. */
const dots = /(?:[/\\]|%2f|%5c)(?:\.|%2e){1,2}(?:[/\\]|%2f|%5c|$)/i;

/**
 * Whether a request's target is below the session's base URL, however a server reads it: an absolute URL, a segment of
 * dots, an empty one and a backslash are not.
 */
export function isInside(target: string | undefined, base: URL): boolean {
  const [path = ""] = (target ?? "").split("?", 1);
  const within = path === base.pathname || path.startsWith(`${base.pathname}/`);
  return within && !dots.test(path) && !/\/\/|\\/.test(path);
}
