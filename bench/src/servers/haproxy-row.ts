import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "@proj/test-kit";
import { startPinned } from "../machine/pinned-process.ts";
import { type ServerRow, UPSTREAM_PATH } from "./server-row.ts";
import { untilAnswering } from "./until-answering.ts";

export const haproxyRow: ServerRow = {
  name: "haproxy",
  description: "HAProxy with one thread: what a proxy in C costs",
  records: "nothing",
  reasonMissing: async () =>
    spawnSync("haproxy", ["-v"]).status === 0
      ? null
      : "not installed (Debian: apt-get install haproxy)",
  start: async ({ upstream, cores, folder }) => {
    const port = await freePort();
    const file = join(folder, "haproxy.cfg");
    writeFileSync(file, configuration(port, upstream.port));
    const started = startPinned({ cores, command: "haproxy", args: ["-db", "-f", file] });
    await untilAnswering(started, port, "/bench-ready");
    return {
      port,
      pid: started.pid,
      path: UPSTREAM_PATH,
      stop: () => started.stop(),
    };
  },
};

/**
 * Without `http-no-delay` a stream's chunks wait for each other, the first for 36 ms. Without `maxconn` HAProxy takes as
 * many connections as the limit of open files allows; with one above it, it does not start.
 */
function configuration(port: number, upstreamPort: number): string {
  return `global
  nbthread 1
defaults
  mode http
  option http-no-delay
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  http-reuse always
frontend bench
  bind 127.0.0.1:${port}
  monitor-uri /bench-ready
  default_backend upstream
backend upstream
  server upstream 127.0.0.1:${upstreamPort}
`;
}
