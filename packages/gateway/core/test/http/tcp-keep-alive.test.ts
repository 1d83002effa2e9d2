import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { waitFor } from "@proj/test-kit";
import { expect, test } from "vitest";
import { startGateway } from "../start-gateway.ts";

/** The kind of timer in /proc/net/tcp. */
const keepAliveTimer = "02";

/** The kind of timer on the gateway's end of a connection; null if there is no such connection. */
async function timerOf(gatewayPort: number, callerPort: number): Promise<string | null> {
  const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, "0");
  const ends = new RegExp(`:${hex(gatewayPort)} \\w+:${hex(callerPort)} 01 \\w+:\\w+ (\\w\\w):`);
  return ends.exec(await readFile("/proc/net/tcp", "utf8"))?.[1] ?? null;
}

test.runIf(process.platform === "linux")(
  "silent connections have TCP keep-alive, so that they outlive a long pause",
  async () => {
    await using gateway = await startGateway({ llm_routes: { demo: { base_url: "http://x/v1" } } });
    const caller = connect(gateway.port, "127.0.0.1");
    try {
      caller.write("GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n");
      await new Promise((resolve) => caller.once("data", resolve));
      // Another timer runs until the answer is acknowledged.
      const callerPort = caller.localPort ?? 0;
      const isWatched = async () => (await timerOf(gateway.port, callerPort)) === keepAliveTimer;
      expect(await waitFor(isWatched, "the keep-alive timer")).toBe(true);
    } finally {
      caller.destroy();
    }
  },
);
