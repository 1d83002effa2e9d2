import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { firstMessage, portOf, startPinned } from "../machine/pinned-process.ts";
import { type ServerRow, UPSTREAM_PATH } from "./server-row.ts";

const FOLDER = fileURLToPath(new URL("../../.cache/portkey/", import.meta.url));
const ENTRY = join(FOLDER, "node_modules/@portkey-ai/gateway/build/start-server.js");
const PRELOAD = import.meta.resolve("./loopback-listen.ts");

/** Versions that work together; this gateway does not start with newer parts of Hono. */
const VERSIONS = { hono: "4.9.7", "@hono/node-server": "1.13.5", "@hono/node-ws": "1.2.0" };
const MANIFEST = {
  name: "portkey-under-test",
  private: true,
  dependencies: { "@portkey-ai/gateway": "1.15.2", ...VERSIONS },
  overrides: VERSIONS,
};

export const portkeyRow: ServerRow = {
  name: "portkey",
  description: "@portkey-ai/gateway 1.15.2, a gateway that keeps nothing",
  records: "nothing",
  reasonMissing: async () => {
    if (existsSync(ENTRY)) return null;
    return install();
  },
  start: async ({ upstream, cores }) => {
    const started = startPinned({
      cores,
      command: process.execPath,
      args: ["--import", PRELOAD, ENTRY, "--headless"],
      environment: { NODE_ENV: "production" },
      folder: FOLDER,
      ipc: true,
    });
    return {
      port: await firstMessage(started, portOf),
      pid: started.pid,
      path: UPSTREAM_PATH,
      headers:
        "x-portkey-provider: openai\r\n" +
        `x-portkey-custom-host: http://127.0.0.1:${upstream.port}/v1\r\n`,
      relaysBytes: false,
      stop: () => started.stop(),
    };
  },
};

/** Installs on first use, without install scripts, into a folder that the repository ignores. */
async function install(): Promise<string | null> {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, "package.json"), JSON.stringify(MANIFEST));
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const npm = spawn("npm", args, { cwd: FOLDER, stdio: ["ignore", "ignore", "inherit"] });
  try {
    const [code] = await once(npm, "exit");
    return code === 0 && existsSync(ENTRY) ? null : `npm could not install it (exit ${code})`;
  } catch {
    return "npm is not there to install it";
  }
}
