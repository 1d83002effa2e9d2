import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buildFeed, feedListener, PublishedSite, startDailyRun } from "@proj/deprecation-feed";
import { printRun } from "./build.ts";
import type { ServeCommand } from "./command-line.ts";
import { readProviders } from "./read-providers.ts";

/** Serves until the signal ends it. @returns the exit code */
export async function serve(command: ServeCommand, signal: AbortSignal): Promise<number> {
  const { out, host, port } = command;
  const providers = readProviders(command.pages);
  const site = new PublishedSite(out);
  // What is there must be readable before anything is promised.
  const lastRun = (await site.snapshot())?.state.checked_at ?? "";
  const server = createServer({ requestTimeout: 30_000 });
  const address = await listen(server, host, port);
  const base_url = command.url ?? address;
  const onError = (error: unknown): void =>
    console.error(error instanceof Error ? error.message : String(error));
  server.on("request", feedListener({ site, providers, base_url, onError }));
  const run = async (ended: AbortSignal): Promise<void> =>
    printRun(await buildFeed({ providers, output: out, base_url, signal: ended }), out);
  const daily = startDailyRun({ lastRun, run, onError });
  console.log(`serving ${out} at ${address}, next run ${daily.next?.toISOString() ?? "never"}`);
  if (!signal.aborted) await once(signal, "abort");
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await Promise.all([closed, daily.stop()]);
  return 0;
}

async function listen(server: Server, host: string, port: number): Promise<string> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code !== "EADDRINUSE") throw error;
    throw new Error(`port ${port} of ${host} is in use; choose another with --port`, {
      cause: error,
    });
  }
  const { address, family, port: taken } = server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${taken}/`;
}
