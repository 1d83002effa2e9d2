/** A child process of the bench: an unmodified points server that imports and builds snapshots on command. */
import { createServer } from "node:http";
import { openPointsStore, pointsListener } from "@proj/points-server";
import { listenForBench } from "../machine/listen.ts";
import type { ServerCommand, ServerReply } from "./points-server.ts";
import { PROGRAM } from "./program.ts";

const [db_url = ""] = process.argv.slice(2);
const store = await openPointsStore({ db_url, program: PROGRAM });

async function run(command: ServerCommand): Promise<ServerReply> {
  const startedAt = performance.now();
  const count =
    command.kind === "import"
      ? (await store.importFile(command.file)).stored
      : (await store.buildSnapshot()).totalItems.total;
  return { count, seconds: (performance.now() - startedAt) / 1000 };
}

process.on("message", async (message) => {
  const reply = await run(message as ServerCommand).catch((error) => ({ failure: String(error) }));
  process.send?.(reply);
});
// A regular exit, so that Node writes files such as a profile.
process.on("SIGTERM", () => process.exit());
const server = createServer(pointsListener({ store }));
listenForBench(server);
