import { once } from "node:events";
import { createServer } from "node:http";
import {
  type PointsListenerOptions,
  pointsListener,
  type SnapshotInfo,
  startSnapshots,
} from "@proj/points-server";
import type { ServeCommand } from "./command-line.ts";
import { openDemo } from "./demo.ts";
import { closeServer, listen } from "./listen.ts";
import { openStore } from "./open-store.ts";
import { readSettings } from "./read-settings.ts";

const printError = (error: unknown): void =>
  console.error(error instanceof Error ? error.message : String(error));

/** Serves until the signal ends it. @returns the exit code */
export async function serve(command: ServeCommand, signal: AbortSignal): Promise<number> {
  if (command.config === null) {
    console.log("No --config given: the data are made up, and removed at the end.");
    const demo = await openDemo();
    try {
      const [host, port] = [command.host ?? "127.0.0.1", command.port ?? 8080];
      return await serveStore({ store: demo.store }, { host, port }, signal);
    } finally {
      await demo.remove();
    }
  }
  const settings = await readSettings(command.config);
  const address = {
    host: command.host ?? settings.listen_host,
    port: command.port ?? settings.listen_port,
  };
  const store = await openStore(settings);
  return serveStore({ ...settings, store }, address, signal);
}

/** Closes the store as well. */
async function serveStore(
  options: PointsListenerOptions,
  { host, port }: { readonly host: string; readonly port: number },
  signal: AbortSignal,
): Promise<number> {
  const { store } = options;
  const server = createServer({ requestTimeout: 60_000 });
  try {
    server.on("request", pointsListener({ ...options, onError: printError }));
    const url = await listen(server, host, port);
    announce(options, url);
    const snapshots = startSnapshots(store, { onSnapshot: reportOnce(), onError: printError });
    if (!signal.aborted) await once(signal, "abort");
    await Promise.all([closeServer(server), snapshots.stop()]);
    return 0;
  } finally {
    await store.close();
  }
}

function announce({ store, prefix = "api" }: PointsListenerOptions, url: string): void {
  const { network } = store.program;
  console.log(`serving ${network} at ${url}/ from ${store.storage_type}`);
  console.log(`try     curl -s '${url}/${prefix}/${network}/total/null?size=3'`);
}

/** Says of the first snapshot what is in it; the others are nothing new. */
function reportOnce(): (info: SnapshotInfo) => void {
  let isFirst = true;
  return ({ totalItems }) => {
    if (!isFirst) return;
    isFirst = false;
    const { total } = totalItems;
    console.log(
      total === 0
        ? "The rankings are empty: there are no events yet (points import, or POST /ingest)."
        : `${total} ${total === 1 ? "address" : "addresses"} in the rankings.`,
    );
  };
}
