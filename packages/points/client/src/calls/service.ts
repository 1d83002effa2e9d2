import { createHttpClient, type HttpClient, type HttpClientOptions } from "@proj/http-client";

/** Where a service is. */
export interface ServiceAddress {
  /** `http(s)://host[:port][/path]`; paths such as `/<prefix>/config` are appended. */
  readonly baseUrl: string;
  /** @default "api", or "points" for a fallback */
  readonly prefix?: string | undefined;
  /** `/price/<network>` is appended. @default `baseUrl` */
  readonly priceUrl?: string | undefined;
}

export interface Service {
  readonly points: HttpClient;
  readonly prices: HttpClient;
  /** The segments before the points paths, each with a leading slash. */
  readonly prefix: string;
  close(): void;
}

/** @throws TypeError a URL is not http(s), or the prefix is not a path */
export function openService(
  { baseUrl, prefix = "api", priceUrl }: ServiceAddress,
  options: Omit<HttpClientOptions, "baseUrl">,
): Service {
  if (!/^[A-Za-z0-9._~-]+(?:\/[A-Za-z0-9._~-]+)*$/.test(prefix))
    throw new TypeError(`prefix must be a path such as 'api', not '${prefix}'`);
  const points = createHttpClient({ ...options, baseUrl });
  const prices =
    priceUrl === undefined ? points : createHttpClient({ ...options, baseUrl: priceUrl });
  const close = (): void => {
    points.close();
    prices.close();
  };
  return { points, prices, prefix: `/${prefix}`, close };
}
