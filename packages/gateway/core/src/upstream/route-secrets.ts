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
    const headers = Object.entries(route.headers)
      .filter(([name]) => isSecretName(name))
      .flatMap(([, value]) => [value, value.slice(value.indexOf(" ") + 1)]);
    const secrets = [route.api_key ?? "", ...headers];
    mask = new SecretMask(secrets.filter(({ length }) => length >= minSecret));
    masks.set(route, mask);
  }
  return mask;
}
