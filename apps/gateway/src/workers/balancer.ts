import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServiceLog } from "@proj/gateway-core";
import { fixedPaths, type GatewayConfig } from "@proj/gateway-protocol";
import { ProgramError } from "@proj/program";
import type { ProcessToKeep } from "./kept-process.ts";

export interface BalancerOptions {
  readonly config: GatewayConfig;
  /** The workers' ports on loopback, in the order of their numbers. */
  readonly ports: readonly number[];
  /** For its configuration. */
  readonly folder: string;
  readonly log: ServiceLog;
}

const pollMs = 50;
/** For the difference between the gateways' longest request and HAProxy's: waits for a place and for the row. */
const waitsS = 100;

/** The tested file: beside the compiled module, or in the working copy. */
const template = ["haproxy.cfg", "../../../../deploy/haproxy/haproxy.cfg"]
  .map((path) => new URL(path, import.meta.url))
  .find((file) => existsSync(file));

/**
 * HAProxy ends when the pipe at descriptor 3 does: also when this process is killed.
 */
const script = `haproxy -db -f "$0" 3<&- & haproxy=$!
(cat <&3 >/dev/null; kill $haproxy 2>/dev/null) &
exec 3<&-
wait $haproxy`;

/** @throws ProgramError HAProxy is not installed; says how to */
export function requireHaproxy(): void {
  if (spawnSync("haproxy", ["-v"]).status === 0) return;
  throw new ProgramError([
    "--workers needs HAProxy 2.6 or later, which shares the requests out among the workers.",
    "Install it: apt-get install haproxy (Debian, Ubuntu), dnf install haproxy (Fedora), brew install haproxy (macOS).",
  ]);
}

/** HAProxy before the workers, with the file that `deploy/haproxy` has for several machines. */
export async function balancer({
  config,
  ports,
  folder,
  log,
}: BalancerOptions): Promise<ProcessToKeep> {
  if (template === undefined) throw new Error("haproxy.cfg is missing from this package");
  const file = join(folder, "haproxy.cfg");
  const longestS = config.timeouts.total_s + waitsS;
  const text = readFileSync(template, "utf8").replaceAll(
    /^( +timeout (?:client|server) ).*$/gm,
    `$1${longestS}s`,
  );
  await writeFile(file, withServers(text, ports.length));
  const servers = ports.map((port, index) => [`GATEWAY_${index + 1}`, `127.0.0.1:${port}`]);
  const { listen_host, listen_port, base_session_path } = config;
  const host = listen_host.includes(":") ? `[${listen_host}]` : listen_host;
  const env = {
    ...process.env,
    ...Object.fromEntries(servers),
    LISTEN: `${host}:${listen_port}`,
    BASE_SESSION_PATH: base_session_path,
    // It runs as the same user as the gateways.
    WITHOUT_ROOT: "1",
  };
  return {
    name: "HAProxy",
    start() {
      const child = spawn("sh", ["-c", script, file], {
        ...{ env, detached: true, stdio: ["ignore", "pipe", "pipe", "pipe"] },
      });
      for (const output of [child.stdout, child.stderr])
        if (output !== null)
          createInterface({ input: output }).on("line", (line) => log.info({}, `HAProxy: ${line}`));
      return child;
    },
    async ready(child) {
      const reached = /^(?:0\.0\.0\.0|::)$/.test(listen_host) ? "127.0.0.1" : host;
      const url = `http://${reached}:${listen_port}${fixedPaths.healthz}`;
      while (child.exitCode === null && !(await isServed(url))) await sleep(pollMs);
    },
    end: (child) => child.stdio[3]?.destroy(),
  };
}

const isServed = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
    async (answer) => (await answer.text()) !== "" && answer.ok,
    () => false,
  );

/** Adds the third gateway and more, as the file says to. */
function withServers(text: string, workers: number): string {
  const line = (n: number): string => `  server gateway-${n} "\${GATEWAY_${n}}" id ${n}`;
  const all = Array.from({ length: workers }, (_, index) => line(index + 1)).join("\n");
  return text.replaceAll(`${line(1)}\n${line(2)}`, all);
}
