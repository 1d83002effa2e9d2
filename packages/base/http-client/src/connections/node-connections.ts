import { Agent, EnvHttpProxyAgent, fetch, Request, Response } from "undici";

// The caller's signal is the only time-out: an answer may take longer than undici's defaults.
const options = { headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 0 }, allowH2: false };
// Axios keeps an adapter for each set of these for ever, so all clients have the same.
const env = { fetch, Request, Response };
/** A proxy cannot reach listeners on this machine. */
const loopback = /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])$/;

/** Kept alive until `close`; they use the proxy variables of the environment, except for this machine. */
export function openConnections({ hostname }: URL): {
  /** What axios needs to use them. */
  readonly config: object;
  readonly close: () => void;
} {
  const dispatcher = loopback.test(hostname)
    ? new Agent(options)
    : new EnvHttpProxyAgent({ ...options, proxyTunnel: false });
  return { config: { env, fetchOptions: { dispatcher } }, close: () => void dispatcher.destroy() };
}
