/** Where the requests of one replica go. */
export interface TargetUrl {
  readonly origin: string;
  /** Returns a path below the base URL, with both queries. */
  readonly below: (path: string) => string;
  /** The base URL without its query: safe for messages, rows and labels. */
  readonly name: string;
}

/** @throws Error if the URL cannot be used as it is */
export function parseTargetUrl(baseUrl: string): TargetUrl {
  const url = new URL(baseUrl);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new Error(`base_url: ${url.protocol}// is not supported; use http:// or https://`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new Error(
      `base_url: ${url.host}: give credentials as api_key or headers, not in the URL`,
    );
  }
  const path = url.pathname.endsWith("/") ? url.pathname.slice(0, -1) : url.pathname;
  return {
    origin: url.origin,
    below: (part) => path + part + (part.includes("?") ? url.search.replace("?", "&") : url.search),
    name: `${url.origin}${path}`,
  };
}
