import { fileURLToPath } from "node:url";
import { firstMessage, portOf, startPinned } from "../machine/pinned-process.ts";
import { type ServerRow, UPSTREAM_PATH } from "./server-row.ts";

const MAIN = fileURLToPath(import.meta.resolve("./bare-proxy-main.ts"));

export const bareForwardRow: ServerRow = bareProxyRow(
  "forward",
  "node:http and undici, bytes piped both ways, nothing read",
);

export const bareParseRow: ServerRow = bareProxyRow(
  "parse",
  "the same, with JSON.parse of request and answer; the original bytes go on",
);

function bareProxyRow(mode: "forward" | "parse", description: string): ServerRow {
  return {
    name: `bare-${mode}`,
    description,
    records: "nothing",
    reasonMissing: async () => null,
    start: async ({ upstream, cores, environment = {} }) => {
      const args = [MAIN, mode, String(upstream.port)];
      const started = startPinned({
        ...{ cores, command: process.execPath, args, environment },
        ipc: true,
      });
      return {
        port: await firstMessage(started, portOf),
        pid: started.pid,
        path: UPSTREAM_PATH,
        headers: "",
        relaysBytes: true,
        stop: () => started.stop(),
      };
    },
  };
}
