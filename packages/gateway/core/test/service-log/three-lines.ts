import { once } from "node:events";
import { createServiceLog } from "../../src/service-log/service-log.ts";

/** A program for a test: logs three lines, each when its standard input has a line for it. */
const log = createServiceLog({ path: process.argv[2] ?? "" });
for (const number of [1, 2, 3]) {
  await once(process.stdin, "data");
  log.info({ number }, "a line");
  process.stdout.write(".");
}
process.stdin.destroy();
await log.close();
