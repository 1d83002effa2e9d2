import { maskUrl } from "@proj/gateway-protocol";

/** Where the console of a gateway is, for people: a password in the gateway's address is masked. */
export const consoleUrl = (gateway: string, path: string): string =>
  maskUrl(new URL(path, gateway).href);
