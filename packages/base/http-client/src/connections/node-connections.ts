import { Agent, EnvHttpProxyAgent, fetch } from "undici";
import { isLoopback } from "../request-url.ts";
import type { Connections } from "./connections.ts";

// The caller's signal is the only time-out: an answer may take longer than undici's defaults.
const options = { headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 0 }, allowH2: false };

/** Kept alive until `close`; they use the proxy variables of the environment, except for this machine. */
export function openConnections(): Connections {
  const direct = new Agent(options);
  const byEnvironment = new EnvHttpProxyAgent({ ...options, proxyTunnel: false });
  return {
    send: (url, request) =>
      fetch(url, { ...request, dispatcher: isLoopback(url) ? direct : byEnvironment }),
    close: () => {
      void direct.destroy();
      void byEnvironment.destroy();
    },
  };
}
