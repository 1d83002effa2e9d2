import { createHttpClient, type HttpClient, type HttpClientOptions } from "@proj/http-client";

/** Where one service is. */
export interface ServiceAddress {
  /** `http(s)://host[:port][/path]`; `/<prefix>/config` and so on follow it. */
  readonly baseUrl: string;
  /** @default "api", and "points" of a fallback */
  readonly prefix?: string | undefined;
  /** `/price/<network>` follows it. @default `baseUrl` */
  readonly priceUrl?: string | undefined;
}

export interface Service {
  readonly points: HttpClient;
  readonly prices: HttpClient;
  /** Segments before the points paths, with a slash before each. */
  readonly prefix: string;
  close(): void;
}

/** @throws TypeError an address is not an http(s) URL, or the prefix is not a path */
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
