import { RequestLog } from "../../src/request-log/request-log.ts";
import { sampleEntry } from "./sample-entry.ts";

/** A program for a test: writes lines to a file and prints how many were lost. */
const [path = "", count = "0"] = process.argv.slice(2);
const errors: string[] = [];
const log = new RequestLog(
  { enabled: true, path, max_bytes: 1e8, backup_count: 1, body_limit_bytes: 0 },
  (message) => errors.push(message),
);
for (let step_id = 1; step_id <= Number(count); step_id++) log.write(sampleEntry({ step_id }));
await log.flush();
await log.close();
console.log(JSON.stringify({ lost: log.lost, errors }));
