import { isSecretName, type RouteConfig, SecretMask } from "@proj/gateway-protocol";

/**
 * A shorter value is not a secret (self-hosted servers take `none`), and could occur anywhere in an answer.
 */
const minSecret = 8;

const masks = new WeakMap<RouteConfig, SecretMask>();

/**
 * Masks the credentials that a route sends upstream, which some upstreams repeat in their errors. Rows and
 * logs never contain them; bodies for callers are not altered.
 */
export function routeSecrets(route: RouteConfig): SecretMask {
  let mask = masks.get(route);
  if (mask === undefined) {
    const headers = secretHeaders(route).flatMap((value) => [value, withoutScheme(value)]);
    const secrets = [route.api_key ?? "", ...headers];
    mask = new SecretMask(secrets.filter(({ length }) => length >= minSecret));
    masks.set(route, mask);
  }
  return mask;
}

/** What a route authenticates itself with, the same however it is configured; null: it has no secret. */
export function routeCredential(route: RouteConfig): string | null {
  const given = [route.api_key ?? "", ...secretHeaders(route).map(withoutScheme)];
  const secrets = new Set(given.filter(({ length }) => length >= minSecret));
  return secrets.size === 0 ? null : JSON.stringify([...secrets].sort());
}

const secretHeaders = ({ headers }: RouteConfig): string[] =>
  Object.entries(headers).flatMap(([name, value]) => (isSecretName(name) ? [value] : []));

/** `Bearer KEY` and `KEY` are the same key. */
const withoutScheme = (value: string): string => value.slice(value.indexOf(" ") + 1);
