import { isSecretName, type RouteConfig, SecretMask } from "@proj/gateway-protocol";

/** A shorter one is not a secret (servers of one's own take `none`), and may be anywhere in an answer. */
const shortestSecret = 8;

const masks = new WeakMap<RouteConfig, SecretMask>();

/**
 * Masks what a route sends upstream as its credentials: some upstreams repeat it in their errors. Rows
 * and logs never hold it; bodies that callers get are not altered.
 */
export function routeSecrets(route: RouteConfig): SecretMask {
  let mask = masks.get(route);
  if (mask === undefined) {
    const headers = Object.entries(route.headers)
      .filter(([name]) => isSecretName(name))
      .flatMap(([, value]) => [value, value.slice(value.indexOf(" ") + 1)]);
    const secrets = [route.api_key ?? "", ...headers];
    mask = new SecretMask(secrets.filter(({ length }) => length >= shortestSecret));
    masks.set(route, mask);
  }
  return mask;
}
