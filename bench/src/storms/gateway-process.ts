import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort, type RunningProcess, startProcess, waitFor } from "@proj/test-kit";

const MAIN = fileURLToPath(new URL("../../../apps/gateway/src/bin.ts", import.meta.url));
const maxStartMs = 60_000;

/** The program `gateway`, which is killed and restarted in the same place. */
export class GatewayProcess implements AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly #folder: string;
  #process: RunningProcess;

  private constructor(folder: string, port: number) {
    this.url = `http://127.0.0.1:${port}`;
    this.port = port;
    this.#folder = folder;
    this.#process = this.#spawn();
  }

  /** @param config its configuration without the port; paths are relative to the folder */
  static async start(folder: string, config: object): Promise<GatewayProcess> {
    const port = await freePort();
    const file = { listen_port: port, request_log: { enabled: false }, ...config };
    // JSON is YAML.
    await writeFile(join(folder, "gateway.yaml"), JSON.stringify(file));
    const gateway = new GatewayProcess(folder, port);
    await gateway.ready();
    return gateway;
  }

  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.#process.exit();
  }

  async restart(): Promise<void> {
    this.#process = this.#spawn();
    await this.ready();
  }

  /** @returns the exit code of an orderly shutdown */
  async stop(): Promise<number | null> {
    this.#process.kill("SIGTERM");
    return (await this.#process.exit(maxStartMs)).code;
  }

  async ready(): Promise<void> {
    await this.#process.line(/^gateway +http/, maxStartMs);
    const isReady = async (): Promise<boolean> =>
      (await fetch(`${this.url}/readyz`).catch(() => null))?.status === 200;
    await waitFor(isReady, "the gateway to be ready", maxStartMs);
  }

  /** Everything it still holds for requests, by metric name and labels, without those at zero. */
  async held(): Promise<Readonly<Record<string, number>>> {
    const text = await (await fetch(`${this.url}/metrics`)).text();
    const gauges =
      /^(gateway_(?:requests_in_flight|requests_waiting|telemetry_queue_rows|telemetry_queue_bytes|buffered_bytes)\S*) (\S+)$/gm;
    const held = [...text.matchAll(gauges)].map(([, name = "", value]) => [name, Number(value)]);
    if (held.length === 0) throw new Error("There are no gauges.");
    return Object.fromEntries(held.filter(([, value]) => value !== 0));
  }

  /** Resolves once it holds nothing, or at the time-out. */
  async atRest(): Promise<Readonly<Record<string, number>>> {
    const isAtRest = async (): Promise<boolean> => Object.keys(await this.held()).length === 0;
    await waitFor(isAtRest, "the gateway to come to rest", maxStartMs).catch(() => {});
    return this.held();
  }

  /** Resident memory in MB. */
  async memory(): Promise<number> {
    const text = await (await fetch(`${this.url}/metrics`)).text();
    return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]) / 2 ** 20;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process[Symbol.asyncDispose]();
  }

  #spawn(): RunningProcess {
    return startProcess([MAIN, "--config", "gateway.yaml"], { cwd: this.#folder });
  }
}
