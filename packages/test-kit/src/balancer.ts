import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { isLeftOut } from "./left-out.ts";
import { freePort } from "./listen.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { within } from "./time-out.ts";
import { waitFor } from "./wait-for.ts";

const deploy = new URL("../../../deploy/", import.meta.url);

/** Whether a suite with a real HAProxy has to be left out, which is said. */
export function isLeftOutWithoutHaproxy(suite: string): boolean {
  return isLeftOut(suite, hasHaproxy(), "Debian: apt-get install haproxy");
}

export function hasHaproxy(): boolean {
  return spawnSync("haproxy", ["-v"]).status === 0;
}

export interface Balancer extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

export interface BalancerOptions {
  /** Changes the text of `haproxy.cfg`. */
  readonly edit?: (text: string) => string;
  /** Further environment variables. */
  readonly env?: Readonly<Record<string, string>>;
}

/** HAProxy as `deploy/one-machine` starts it, but for the ports; ready when it answers. */
export async function startBalancer(
  gatewayUrls: readonly string[],
  { edit = (text) => text, env = {} }: BalancerOptions = {},
): Promise<Balancer> {
  const port = await freePort();
  const example = parseEnv(await readFile(new URL("one-machine/haproxy.env", deploy), "utf8"));
  const own = {
    LISTEN: `127.0.0.1:${port}`,
    ...Object.fromEntries(gatewayUrls.map((url, n) => [`GATEWAY_${n + 1}`, new URL(url).host])),
    ...(process.getuid?.() === 0 ? {} : { WITHOUT_ROOT: "1" }),
    ...env,
  };
  const folder = await temporaryFolder();
  const config = join(folder.path, "haproxy.cfg");
  const text = await readFile(new URL("haproxy/haproxy.cfg", deploy), "utf8");
  await writeFile(config, withServers(edit(text), gatewayUrls.length));
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
  } finally {
    await folder.remove();
  }
  return {
    ...{ url, pid: haproxy.pid ?? 0 },
    [Symbol.asyncDispose]: () => end(haproxy),
  };
}

/** What the file says is to be done for a third gateway and more. */
function withServers(text: string, gateways: number): string {
  const further = Array.from({ length: Math.max(0, gateways - 2) }, (_, index) => index + 3);
  const lines = further.map((n) => `\n  server gateway-${n} "\${GATEWAY_${n}}" id ${n}`).join("");
  return text.replaceAll(/^ +server gateway-2 .*$/gm, (line) => line + lines);
}

async function answers(haproxy: ChildProcess, url: string): Promise<boolean> {
  if (haproxy.exitCode !== null) throw new Error(`it ended with ${haproxy.exitCode}`);
  const answer = await fetch(`${url}/readyz`).catch(() => null);
  return answer !== null;
}

async function end(haproxy: ChildProcess): Promise<void> {
  if (haproxy.exitCode !== null || haproxy.signalCode !== null) return;
  const gone = once(haproxy, "exit");
  haproxy.kill("SIGKILL");
  await within(gone, "the end of HAProxy");
}
