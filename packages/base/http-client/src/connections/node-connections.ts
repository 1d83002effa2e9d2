import { Agent, EnvHttpProxyAgent, fetch, Request, Response } from "undici";
import { isLoopback } from "../request-url.ts";

// The caller's signal is the only time-out: an answer may take longer than undici's defaults.
const options = { headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 0 }, allowH2: false };
// Axios keeps an adapter for each set of these for ever, so all clients have the same.
const env = { fetch, Request, Response };

/** Kept alive until `close`; they use the proxy variables of the environment, except for this machine. */
export function openConnections(): {
  /** What axios needs to use them. */
  readonly options: (url: URL) => object;
  readonly close: () => void;
} {
  const direct = new Agent(options);
  const byEnvironment = new EnvHttpProxyAgent({ ...options, proxyTunnel: false });
  return {
    options: (url) => ({
      env,
      fetchOptions: { dispatcher: isLoopback(url) ? direct : byEnvironment },
    }),
    close: () => {
      void direct.destroy();
      void byEnvironment.destroy();
    },
  };
}
