import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { isLeftOut, listen, waitFor, within } from "@proj/test-kit";

const deploy = new URL("../../../../deploy/", import.meta.url);
const config = fileURLToPath(new URL("haproxy/haproxy.cfg", deploy));

/** Whether tests with a real HAProxy cannot run here. */
export const isWithoutHaproxy: boolean = isLeftOut(
  "several gateways behind HAProxy",
  spawnSync("haproxy", ["-v"]).status === 0,
  "Debian: apt-get install haproxy",
);

export interface Balancer extends AsyncDisposable {
  readonly url: string;
}

/** HAProxy as `deploy/one-machine` starts it, but for the ports; ready when it has found a gateway. */
export async function startBalancer(gatewayUrls: readonly string[]): Promise<Balancer> {
  const port = await freePort();
  const [first = "", second = ""] = gatewayUrls.map((url) => new URL(url).host);
  const example = parseEnv(await readFile(new URL("one-machine/haproxy.env", deploy), "utf8"));
  const own = { LISTEN: `127.0.0.1:${port}`, GATEWAY_1: first, GATEWAY_2: second };
  const haproxy = spawn("haproxy", ["-db", "-f", config], {
    env: { ...process.env, ...example, ...own },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const read = (text: Buffer): void => {
    output += text.toString();
  };
  haproxy.stdout.on("data", read);
  haproxy.stderr.on("data", read);
  const url = `http://127.0.0.1:${port}`;
  try {
    await waitFor(() => answers(haproxy, url), "HAProxy to answer");
  } catch (cause) {
    await end(haproxy);
    throw new Error(`HAProxy did not start:\n${output}`, { cause });
  }
  return { url, [Symbol.asyncDispose]: () => end(haproxy) };
}

async function answers(haproxy: ChildProcess, url: string): Promise<boolean> {
  if (haproxy.exitCode !== null) throw new Error(`it ended with ${haproxy.exitCode}`);
  const answer = await fetch(`${url}/readyz`).catch(() => null);
  return answer?.status === 200;
}

async function end(haproxy: ChildProcess): Promise<void> {
  if (haproxy.exitCode !== null || haproxy.signalCode !== null) return;
  const gone = once(haproxy, "exit");
  haproxy.kill("SIGKILL");
  await within(gone, "the end of HAProxy");
}

async function freePort(): Promise<number> {
  await using probe = await listen(createServer());
  return probe.port;
}
