import { closestNames, type RouteConfig } from "@proj/gateway-protocol";
import { GatewayError } from "../gateway-error.ts";

export interface Route {
  /** The route key: the very string of the configuration, whose hash is known to every map. */
  readonly model: string;
  readonly config: RouteConfig;
}

/** The routes by their keys. Keys are own keys: `__proto__` is an unknown model like any other. */
export class RouteTable {
  readonly #routes: ReadonlyMap<string, Route>;

  constructor(llm_routes: Readonly<Record<string, RouteConfig>>) {
    const routes = Object.entries(llm_routes);
    this.#routes = new Map(routes.map(([model, config]) => [model, { model, config }]));
  }

  get keys(): readonly string[] {
    return [...this.#routes.keys()];
  }

  /** @throws GatewayError model_not_found, naming the route keys that are close */
  find(model: string): Route {
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
