import { startServer } from "../machine/pinned-process.ts";
import { type ServerRow, UPSTREAM_PATH } from "./server-row.ts";

const MAIN = import.meta.resolve("./bare-proxy-main.ts");

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
    start: async ({ upstream, cores }) => {
      const args = [mode, String(upstream.port)];
      const { port, process: started } = await startServer(MAIN, cores, args);
      return {
        port,
        pid: started.pid,
        path: UPSTREAM_PATH,
        stop: () => started.stop(),
      };
    },
  };
}
