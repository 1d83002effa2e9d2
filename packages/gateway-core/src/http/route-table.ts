import { closestNames, type RouteConfig } from "@proj/gateway-protocol";
import { GatewayError } from "../gateway-error.ts";

/** The routes by their keys. Keys are own keys: `__proto__` is an unknown model like any other. */
export class RouteTable {
  readonly #routes: ReadonlyMap<string, RouteConfig>;

  constructor(llm_routes: Readonly<Record<string, RouteConfig>>) {
    this.#routes = new Map(Object.entries(llm_routes));
  }

  get keys(): readonly string[] {
    return [...this.#routes.keys()];
  }

  has(model: string): boolean {
    return this.#routes.has(model);
  }

  /** @throws GatewayError model_not_found, naming the route keys that are close */
  find(model: string): RouteConfig {
    const route = this.#routes.get(model);
    if (route !== undefined) return route;
    const shown = model.length > 100 ? `${model.slice(0, 100)}…` : model;
    throw new GatewayError(
      "model_not_found",
      `The model '${shown}' is not a route of this gateway.${this.#hint(shown)}`,
      { param: "model" },
    );
  }

  #hint(model: string): string {
    const close = closestNames(model, this.#routes.keys());
    if (close.length > 0) return ` Did you mean ${close.map((key) => `'${key}'`).join(" or ")}?`;
    return " GET /v1/models lists the routes.";
  }
}
