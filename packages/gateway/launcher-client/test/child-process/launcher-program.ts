/** A launcher for tests to kill: `launcher-program.ts COMMAND` runs one agent and prints how it ended. */
import { commandRuntime } from "../../src/index.ts";
import { startRequest } from "../start-request.ts";

const [, , command = ""] = process.argv;
const { signal } = new AbortController();
const ending = commandRuntime(command, { cwd: process.cwd() }).run(startRequest, { signal });
console.log(await ending.then(({ status }) => status, String));
