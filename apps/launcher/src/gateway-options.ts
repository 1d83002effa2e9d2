import { type OptionSettings, optional, withDefault } from "@proj/program";
import type { ValuesOf } from "./options-of.ts";

/** Which gateway, and the key to it. */
export const gatewayOptions = (settings: OptionSettings = {}) => ({
  "gateway-base-url": withDefault("URL", "the gateway", "http://127.0.0.1:8000", settings),
  "gateway-api-key": optional("KEY", "one of the gateway's auth.api_keys", {
    ...settings,
    variable: "GATEWAY_API_KEY",
  }),
  "gateway-api-key-file": optional("FILE", "or a file that contains it", {
    ...settings,
    completion: "files",
  }),
});

export type GatewaySettings = ValuesOf<ReturnType<typeof gatewayOptions>>;
