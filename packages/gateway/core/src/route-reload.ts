import { isDeepStrictEqual } from "node:util";
import type { GatewayConfig, ReloadBody, RouteConfig } from "@proj/gateway-protocol";
import { GatewayError } from "./errors/gateway-error.ts";

type Routes = Readonly<Record<string, RouteConfig>>;

/** Reads the configuration again and applies its routes. */
export class RouteReload {
  #routes: Routes;
  readonly #readConfig: (() => GatewayConfig) | null;
  readonly #use: (llm_routes: Routes) => void;

  /** @param use serves these routes from now on; throws if one cannot be used, and then changes nothing */
  constructor(
    routes: Routes,
    readConfig: (() => GatewayConfig) | null,
    use: (llm_routes: Routes) => void,
  ) {
    this.#routes = routes;
    this.#readConfig = readConfig;
    this.#use = use;
  }

  /** @throws GatewayError invalid_request: says what is wrong; nothing is changed */
  run(): ReloadBody {
    const former = this.#routes;
    const routes = this.#read();
    this.#routes = routes;
    const keys = Object.keys(routes);
    return {
      added: keys.filter((key) => !Object.hasOwn(former, key)),
      changed: keys.filter(
        (key) => Object.hasOwn(former, key) && !isDeepStrictEqual(former[key], routes[key]),
      ),
      removed: Object.keys(former).filter((key) => !Object.hasOwn(routes, key)),
    };
  }

  #read(): Routes {
    if (this.#readConfig === null)
      throw new GatewayError("invalid_request", "The gateway has no configuration file.");
    try {
      const { llm_routes } = this.#readConfig();
      this.#use(llm_routes);
      return llm_routes;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const message = `The configuration cannot be used, and nothing was changed. ${why}`;
      throw new GatewayError("invalid_request", message, { cause: error });
    }
  }
}
