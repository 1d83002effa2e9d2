import type { Readiness } from "@proj/gateway-protocol";
import type { GatewayReadiness } from "../gateway/gateway-answers.ts";
import type { GatewayClient } from "../gateway/gateway-client.ts";
import { poll } from "../poll.ts";
import { ask } from "./gateway-failure.ts";
import { StartupError } from "./startup-error.ts";

/** Retry pauses short enough to report a wrong port at once. */
const quick = { minDelayMs: 50, maxDelayMs: 200 };

/**
 * The gateway's readiness once it is ready, or the last answer when the time is up.
 * @throws StartupError the gateway does not answer
 */
export async function awaitReady(
  gateway: GatewayClient,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<GatewayReadiness> {
  const readiness = (): Promise<GatewayReadiness> =>
    ask(gateway, () => gateway.readiness({ signal, timeoutMs: 10_000, retry: quick }));
  let last = await readiness();
  await poll(
    async () => {
      if (last.status !== "ready") last = await readiness();
      return last.status === "ready" ? { done: true, value: last } : { done: false };
    },
    { timeoutMs, minDelayMs: 100, maxDelayMs: 1_000, signal },
  );
  return last;
}

const remedies: Readonly<Record<Readiness, string>> = {
  ready: "",
  starting: "it is still starting; try again, or see its log",
  draining: "it is shutting down; start it again",
  storage_unavailable: "it cannot use its storage; see its log",
  storage_replaced: "its database file was removed or replaced while in use; see its log",
};

/** @throws StartupError */
export function requireReady({ status }: GatewayReadiness): void {
  if (status === "ready") return;
  const message = `gateway is not ready: its status is ${status}: ${remedies[status]}.`;
  throw new StartupError("gateway_not_ready", message);
}
