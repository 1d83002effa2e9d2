import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { isLeftOut } from "./left-out.ts";
import { freePort } from "./listen.ts";
import { type Balancer, startProxy } from "./proxy-process.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const deploy = new URL("../../../../deploy/", import.meta.url);

/** Whether a suite with a real HAProxy has to be left out; if so, prints it. */
export function isLeftOutWithoutHaproxy(suite: string): boolean {
  return isLeftOut(suite, hasHaproxy(), "Debian: apt-get install haproxy");
}

export function hasHaproxy(): boolean {
  return spawnSync("haproxy", ["-v"]).status === 0;
}

export interface BalancerOptions {
  /** Changes the text of `haproxy.cfg`. */
  readonly edit?: (text: string) => string;
  /** Further environment variables. */
  readonly env?: Readonly<Record<string, string>>;
}

/** HAProxy as `deploy/one-machine` starts it, on other ports; resolves once it answers. */
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
  return startProxy({
    ...{ file: "haproxy", args: ["-db", "-f", config], port, folder },
    env: { ...example, ...own },
  });
}

/** Adds a third gateway and more, as the file says to. */
function withServers(text: string, gateways: number): string {
  const further = Array.from({ length: Math.max(0, gateways - 2) }, (_, index) => index + 3);
  const lines = further.map((n) => `\n  server gateway-${n} "\${GATEWAY_${n}}" id ${n}`).join("");
  return text.replaceAll(/^ +server gateway-2 .*$/gm, (line) => line + lines);
}
