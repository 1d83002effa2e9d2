import { spawn } from "node:child_process";
import { readlink } from "node:fs/promises";
import { Server } from "node:net";
import { sleep } from "@proj/http-client";
import { passedVariables } from "../child-process/agent-environment.ts";
import { markedProcesses } from "../child-process/command-mark.ts";

const firstPauseMs = 5;
const maxPauseMs = 100;
/** How long a sandbox may take to begin: an engine may first have to fetch its image. */
const maxMs = 300_000;

/**
 * A socket belongs to the network in which it was made, wherever it is read. This program makes one and hands it over.
 * The network's loopback interface may not be up yet, so it tries for a while.
 */
const program = `
const server = require("node:net").createServer();
const listen = () => server.listen(Number(process.argv[1]), "127.0.0.1");
server.on("error", () => setTimeout(listen, 5));
setTimeout(() => process.exit(1), 10_000).unref();
server.on("listening", () => process.send("listening", server));
process.on("disconnect", () => process.exit());
listen();
`;

/**
 * A server that listens at 127.0.0.1 in the network of a sandboxed command, which waits for its input meanwhile.
 * Nothing in that network is a way out of it.
 * @param mark of the command
 * @throws Error its network cannot be entered; the signal's reason
 */
export async function listenInside(
  mark: string,
  port: number,
  signal: AbortSignal,
): Promise<Server> {
  const machine = await readlink("/proc/self/ns/net");
  const deadline = performance.now() + maxMs;
  let failure = "it has no network of its own";
  for (let pauseMs = firstPauseMs; performance.now() < deadline; pauseMs *= 2) {
    for (const pid of await markedProcesses(mark)) {
      const network = await readlink(`/proc/${pid}/ns/net`).catch(() => machine);
      if (network === machine) continue;
      const server = await listenAt(pid, port, signal).catch((error: Error) => {
        failure = error.message;
        return null;
      });
      if (server !== null) return server;
    }
    await sleep(Math.min(pauseMs, maxPauseMs), signal);
  }
  throw new Error(`the agent's network cannot be entered: ${failure}`);
}

function listenAt(pid: number, port: number, signal: AbortSignal): Promise<Server> {
  const isRoot = process.getuid?.() === 0;
  // Root needs nobody's rights in there; others have them in what they own.
  const entering = isRoot ? ["--net"] : ["--user", "--preserve-credentials", "--net"];
  const helper = [process.execPath, "--eval", program, String(port)];
  const child = spawn("nsenter", [`--target=${pid}`, ...entering, "--", ...helper], {
    cwd: "/",
    env: passedVariables(process.env),
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    signal,
    killSignal: "SIGKILL",
  });
  return new Promise((resolve, reject) => {
    let complaint = "";
    child.stderr?.on("data", (text: Buffer) => {
      complaint = `${complaint}${text}`.slice(0, 1_000);
    });
    let server: Server | null = null;
    child.once("message", (_, handle) => {
      if (handle instanceof Server) server = handle;
      if (child.connected) child.disconnect();
    });
    child.once("error", reject);
    child.once("exit", () => {
      // While the program is there, a connection may still come to it.
      if (server === null) reject(new Error(complaint.trim() || "nsenter ended"));
      else resolve(server);
    });
  });
}
