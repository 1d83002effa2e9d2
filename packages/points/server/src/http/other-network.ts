import { rankings } from "@proj/points-client/wire";
import { badRequest, type Problem } from "@proj/resource-router";

export function otherNetwork(asked: string, network: string): Problem {
  return badRequest(`'${asked.slice(0, 80)}' is not the network of this server, '${network}'.`);
}

/**
 * The network in a target `/<prefix>/<network>/<ranking>…`; null for any other target. The router knows only
 * the paths of this server's network.
 */
export function networkAsked(target: string, prefix: string): string | null {
  const [path = ""] = target.split(/[?#]/, 1);
  if (!path.startsWith(`/${prefix}/`)) return null;
  const [network = "", ranking = ""] = path.slice(prefix.length + 2).split("/", 2);
  return Object.hasOwn(rankings, ranking) ? network : null;
}
