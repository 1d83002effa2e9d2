import { once } from "node:events";
import { createServer } from "node:http";
import {
  buildFeed,
  type FeedState,
  feedListener,
  PublishedSite,
  type RunKind,
  startDailyRun,
} from "@proj/deprecation-feed";
import {
  type Command,
  closeServer,
  defineCommand,
  exitCode,
  listen,
  portOption,
  readWithDefault,
  withDefault,
} from "@proj/program";
import { printRun } from "./build.ts";
import { readProviders } from "./read-providers.ts";
import { defaultPort, siteOptions } from "./site-options.ts";
import { notifier } from "./webhook.ts";

/** Serves until the signal ends it. */
export const serve: Command = defineCommand({
  name: "serve",
  summary: "serve the site, and read the pages daily at 02:00 UTC",
  options: {
    ...siteOptions,
    host: withDefault("HOST", "listen on this address", "127.0.0.1"),
    port: readWithDefault(portOption("listen on this port"), defaultPort),
  },
  async run({ options: { out, url, page, host, port, webhook } }, { signal, calledAs }) {
    const notify = notifier(webhook);
    const providers = readProviders(page);
    const site = new PublishedSite(out);
    // An unreadable state must fail before the server listens.
    const known = (await site.snapshot())?.state;
    const server = createServer({ requestTimeout: 30_000 });
    const address = `${await listen(server, host, port)}/`;
    const base_url = url ?? address;
    const onError = (error: unknown): void =>
      console.error(error instanceof Error ? error.message : String(error));
    server.on("request", feedListener({ site, providers, base_url, onError }));
    const run = async (ended: AbortSignal, kind: RunKind): Promise<boolean> => {
      const before = (await site.snapshot())?.state;
      const only = kind === "retry" && before !== undefined ? unreachable(before) : undefined;
      const result = await buildFeed({ providers, output: out, base_url, signal: ended, only });
      printRun(result, out, calledAs);
      await notify(result, ended);
      return unreachable(result.state).length === 0;
    };
    const daily = startDailyRun({
      lastRun: known?.checked_at ?? "",
      wasIncomplete: known !== undefined && unreachable(known).length > 0,
      run,
      onError,
    });
    console.log(`serving ${out} at ${address}, next run ${daily.next?.toISOString() ?? "never"}`);
    if (!signal.aborted) await once(signal, "abort");
    await Promise.all([closeServer(server, 0), daily.stop()]);
    return exitCode.done;
  },
});

/** Slugs of the providers whose page could not be fetched: a retry may succeed. */
const unreachable = ({ statuses }: FeedState): readonly string[] =>
  statuses.filter(({ failure }) => failure === "fetch").map(({ slug }) => slug);
