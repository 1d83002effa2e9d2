/** A gateway that tests kill: `gateway-program.ts FOLDER UPSTREAM [PORT]`. It says where it listens. */
import { flushCompileCache } from "node:module";
import { routeTo, startGateway } from "../start-gateway.ts";

const [folder = "", upstream = "", port = "0"] = process.argv.slice(2);
const { url } = await startGateway({ folder, config: routeTo(upstream), port: Number(port) });
flushCompileCache();
console.log(`listening at ${url}`);
