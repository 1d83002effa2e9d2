/** A store in a process that can be killed: it prints what was reported as durable. */
import { openPointsStore } from "@proj/points-server";
import { program, swap } from "../snapshots/swaps.ts";

const [db_url = "", command, argument = ""] = process.argv.slice(2);
// Only a power failure needs commits that reach the disk; a killed process does not.
const store = await openPointsStore({ db_url, program, synchronous: "normal", jobNiceness: 0 });

switch (command) {
  case "import": {
    const report = await store.importFile(argument, {
      onProgress: ({ stored, repeated }) => console.log(`durable ${stored + repeated}`),
    });
    console.log(`imported ${report.lines}`);
    break;
  }
  case "ingest":
    for (let turn = 0; ; turn += 1) {
      const events = [0, 1, 2].map((index) => swap(`${argument}-${turn}-${index}`, `a${index}`, 1));
      await store.ingest(events);
      console.log(`durable ${turn + 1}`);
    }
  case "snapshot":
    console.log("building");
    for (;;) console.log(`built ${(await store.buildSnapshot()).id}`);
}
await store.close();
