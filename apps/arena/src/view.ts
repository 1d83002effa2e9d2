import { once } from "node:events";
import {
  type Command,
  closeServer,
  defineCommand,
  exitCode,
  listen,
  optionalOperand,
  portOption,
  withDefault,
} from "@proj/program";
import { createPageServer } from "./page/serve-page.ts";
import { keptArenas, openKeptArena } from "./watching/arena-files.ts";

/** Shows an arena that has ended. */
export const view: Command = defineCommand({
  name: "view",
  summary: "show an arena that has ended in a browser",
  about:
    "Serves the page of an arena that has ended, for a browser on this machine: equity curves, trades, and what each trader said and did.",
  no: "there is no such arena",
  operand: optionalOperand(
    "JOB",
    "the arena's first job, without the number of a match; the newest arena otherwise",
  ),
  options: {
    data: withDefault("DIR", "where the arena kept its files", "data/arena"),
    port: portOption("listen here instead of on a free port"),
  },
  async run({ operand, options: { data, port } }, { signal }) {
    const kept = await keptArenas(data);
    const job_id = operand === null ? kept[0] : kept.find((name) => name === operand);
    if (job_id === undefined) {
      const what = operand === null ? "No arena" : `No arena '${operand}'`;
      console.error(`${what} has ended a match in ${data}.`);
      return exitCode.no;
    }
    const server = createPageServer(await openKeptArena(data, job_id));
    try {
      console.log(`arena    ${await listen(server, "127.0.0.1", port ?? 0)}`);
      console.error("The page stays up until a signal.");
      if (!signal.aborted) await once(signal, "abort");
      return exitCode.done;
    } finally {
      await closeServer(server, 1_000);
    }
  },
});
