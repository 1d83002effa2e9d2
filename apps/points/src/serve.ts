import { once } from "node:events";
import { createServer } from "node:http";
import {
  type LogEntry,
  loadSettings,
  Operations,
  type PointsListenerOptions,
  pointsListener,
  type SnapshotInfo,
  startSnapshots,
} from "@proj/points-server";
import {
  type Command,
  type Context,
  closeServer,
  configOption,
  defineCommand,
  exitCode,
  listen,
  optional,
  portOption,
  requireFreeAddress,
} from "@proj/program";
import { pino } from "pino";
import { openDemo } from "./demo.ts";
import { followPrices, type PriceSettings, priceNews } from "./follow-prices.ts";
import { openStore } from "./open-store.ts";

const printError = (error: unknown): void =>
  console.error(error instanceof Error ? error.message : String(error));

interface Address {
  readonly host: string;
  readonly port: number;
}

/** Serves until the signal ends it. */
export const serve: Command = defineCommand({
  name: "serve",
  summary: "serve the rankings, and recompute them every refreshTime seconds",
  about:
    "Serves a points leaderboard, quests and prices of one network, and recomputes the rankings every refreshTime seconds. Without --config it serves a small made-up data set from a temporary folder.",
  options: {
    config: configOption("YAML settings"),
    host: optional("HOST", "listen on this address instead of the settings' listen_host"),
    port: portOption("listen on this port instead of the settings' listen_port"),
  },
  async run({ options: { config, host, port } }, context) {
    const settings = config === null ? null : loadSettings(config);
    const address = {
      host: host ?? settings?.listen_host ?? "127.0.0.1",
      port: port ?? settings?.listen_port ?? 8080,
    };
    await requireFreeAddress(address.host, address.port);
    if (settings === null) return serveDemo(address, context);
    const store = await openStore(settings);
    const log = openLog(settings.log_path);
    return serveStore({ ...settings, store }, address, context, log);
  },
});

/** Appends lines of JSON, each with its time, to a file. @param path null: logs nothing */
function openLog(path: string | null): (entry: LogEntry) => void {
  if (path === null) return () => {};
  const destination = pino.destination({ dest: path, mkdir: true, sync: true });
  const log = pino({ timestamp: pino.stdTimeFunctions.isoTime }, destination);
  return ({ level, event, ...facts }) => log[level]({ event, ...facts });
}

async function serveDemo(address: Address, context: Context): Promise<number> {
  console.log("No --config given: serving made-up data, which are removed at the end.");
  const demo = await openDemo();
  try {
    return await serveStore({ store: demo.store }, address, context);
  } finally {
    await demo.remove();
  }
}

/** Also closes the store. */
async function serveStore(
  options: PointsListenerOptions & PriceSettings,
  { host, port }: Address,
  { signal, calledAs }: Context,
  log: (entry: LogEntry) => void = () => {},
): Promise<number> {
  const { store } = options;
  const server = createServer({ requestTimeout: 60_000 });
  try {
    const operations = new Operations({
      store,
      log: (entry) => {
        log(entry);
        const news = priceNews(entry);
        if (news !== null) console.error(news);
      },
    });
    server.on("request", pointsListener({ ...options, operations, onError: printError }));
    const url = await listen(server, host, port);
    announce(options, url);
    const prices = followPrices(options, operations);
    const { onSnapshot, onError, onLate } = operations.schedule;
    const report = reportOnce(calledAs);
    const snapshots = startSnapshots(store, {
      onSnapshot: (info, builtMs) => {
        onSnapshot(info, builtMs);
        report(info);
      },
      onError: (error) => {
        onError(error);
        printError(error);
      },
      onLate: (seconds) => {
        onLate(seconds);
        console.error(
          `The next snapshot is ${seconds} seconds late; the rankings are out of date.`,
        );
      },
    });
    if (!signal.aborted) await once(signal, "abort");
    await Promise.all([closeServer(server), snapshots.stop(), prices?.stop()]);
    return exitCode.done;
  } finally {
    await store.close();
  }
}

function announce({ store, prefix = "api" }: PointsListenerOptions, url: string): void {
  const { network } = store.program;
  console.log(`serving ${network} at ${url}/ from ${store.storage_type}`);
  console.log(`try     curl -s '${url}/${prefix}/${network}/total/null?size=3'`);
}

/** Prints how many addresses the first snapshot has, and nothing for later ones. */
function reportOnce(points: string): (info: SnapshotInfo) => void {
  let isFirst = true;
  return ({ totalItems }) => {
    if (!isFirst) return;
    isFirst = false;
    const { total } = totalItems;
    console.log(
      total === 0
        ? `The rankings are empty: there are no events yet (${points} import, or POST /ingest).`
        : `${total} ${total === 1 ? "address" : "addresses"} in the rankings.`,
    );
  };
}
