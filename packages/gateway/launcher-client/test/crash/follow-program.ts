/** An exporter for tests to kill: `follow-program.ts STORAGE-URL JOB FILE`. It ends with the job. */
import { openJobReader } from "@proj/session-store";
import { exportFormats, followJob } from "../../src/index.ts";
import { storageOf } from "../temporary-storage.ts";

const [db_url = "", job_id = "", file = ""] = process.argv.slice(2);
const format = exportFormats.find(({ name }) => name === "sharegpt");
if (format === undefined) throw new Error("the format does not exist");
const store = await openJobReader(storageOf(db_url));
const { signal } = new AbortController();
await followJob(store, { job_id, format, file, signal, pauseMs: 20 });
await store.close();
