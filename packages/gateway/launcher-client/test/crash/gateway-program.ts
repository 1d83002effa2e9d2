/** A gateway for tests to kill: `gateway-program.ts STORAGE-URL UPSTREAM [PORT]`. It prints its address. */
import { flushCompileCache } from "node:module";
import { routeTo, startGateway } from "../start-gateway.ts";
import { storageOf } from "../temporary-storage.ts";

const [db_url = "", upstream = "", port = "0"] = process.argv.slice(2);
const storage = storageOf(db_url);
const { url } = await startGateway({ storage, config: routeTo(upstream), port: Number(port) });
flushCompileCache();
console.log(`listening at ${url}`);
