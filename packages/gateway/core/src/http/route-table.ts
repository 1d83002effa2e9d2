import { closestNames, type RouteConfig } from "@proj/gateway-protocol";
import { apiOf, type EndpointName } from "@proj/model-apis";
import { GatewayError } from "../errors/gateway-error.ts";

export interface Route {
  /** The route key: the configuration's own string object, whose hash every map already knows. */
  readonly model: string;
  readonly config: RouteConfig;
}

/** The routes by key. Only own keys count: `__proto__` is an unknown model like any other. */
export class RouteTable {
  #routes: ReadonlyMap<string, Route> = new Map();

  constructor(llm_routes: Readonly<Record<string, RouteConfig>>) {
    this.replace(llm_routes);
  }

  replace(llm_routes: Readonly<Record<string, RouteConfig>>): void {
    const routes = Object.entries(llm_routes);
    this.#routes = new Map(routes.map(([model, config]) => [model, { model, config }]));
  }

  get keys(): readonly string[] {
    return [...this.#routes.keys()];
  }

  /**
   * The route for a call of an endpoint.
   * @throws GatewayError model_not_found, naming similar route keys; endpoint_not_supported
   */
  find(model: string, endpoint: EndpointName): Route {
    const route = this.get(model);
    const { endpoints } = route.config;
    if (endpoints.includes(apiOf[endpoint])) return route;
    throw new GatewayError(
      "endpoint_not_supported",
      `Route '${model}' does not have the endpoint '${endpoint}'. It has ${endpoints.join(", ")}.`,
      { param: "model" },
    );
  }

  /** The key of the only route with the endpoint; null if none or several have it. */
  only(endpoint: EndpointName): string | null {
    const all = [...this.#routes.values()];
    const [only, ...others] = all.filter((route) =>
      route.config.endpoints.includes(apiOf[endpoint]),
    );
    return only === undefined || others.length > 0 ? null : only.model;
  }

  /**
   * @param opened the keys that the caller may know; undefined: all
   * @throws GatewayError model_not_found
   */
  get(model: string, opened?: readonly string[]): Route {
    const route = this.#routes.get(model);
    if (route !== undefined && opened?.includes(model) !== false) return route;
    const shown = model.length > 100 ? `${model.slice(0, 100)}…` : model;
    throw new GatewayError(
      "model_not_found",
      `The model '${shown}' is not a route of this gateway.${this.#hint(shown, opened ?? this.#routes.keys())}`,
      { param: "model" },
    );
  }

  #hint(model: string, keys: Iterable<string>): string {
    const close = closestNames(model, keys);
    if (close.length > 0) return ` Did you mean ${close.map((key) => `'${key}'`).join(" or ")}?`;
    return " GET /v1/models lists the routes.";
  }
}
