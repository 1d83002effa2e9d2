import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { consolePage } from "@proj/console";
import { createGateway } from "@proj/gateway-core";
import { parseConfig } from "@proj/gateway-protocol";
import {
  type DemoUpstreamOptions,
  type RunningProcess,
  startBundled,
  startDemoUpstream,
  temporaryFolder,
} from "@proj/test-kit";

/** The program as a user of the workspace runs it, from its sources. */
export const main: string = fileURLToPath(new URL("../src/bin.ts", import.meta.url));
const agent = fileURLToPath(new URL("agents/agent.mjs", import.meta.url));

/** The command that runs these tests' agent. */
export const agentCommand: string = `"${process.execPath}" "${agent}"`;

export interface LauncherOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** The program gets the test's environment, except variables that concern it. */
export const launcherEnvironment: Readonly<Record<string, string | undefined>> = {
  GATEWAY_API_KEY: undefined,
  GATEWAY_SESSION_SECRET: undefined,
  SERVICE_GATEWAY_CONFIG: undefined,
  FORCE_COLOR: undefined,
};

/** The program itself, started as a shell would. */
export function startLauncher(
  args: readonly string[],
  { cwd, env }: LauncherOptions = {},
): RunningProcess {
  const options = { env: { ...launcherEnvironment, ...env } };
  return startBundled(main, args, cwd === undefined ? options : { ...options, cwd });
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program to its end. */
export async function launch(args: readonly string[], options?: LauncherOptions): Promise<Ended> {
  await using program = startLauncher(args, options);
  // Shorter than a test may take, so that it says what was printed.
  const { code } = await program.exit(100_000);
  return { code, stdout: program.stdout, stderr: program.stderr };
}

/** A gateway with the route `demo`, and a folder with its database and files that a test adds. */
export interface Gateway extends AsyncDisposable {
  readonly url: string;
  readonly db_url: string;
  readonly folder: string;
  /** Arguments of `launcher run` with these tests' agent. */
  run(...more: string[]): string[];
  write(name: string, content: string): Promise<void>;
}

export async function startGateway(
  config: Readonly<Record<string, unknown>> = {},
  upstreamOptions: DemoUpstreamOptions = {},
): Promise<Gateway> {
  const folder = await temporaryFolder();
  const upstream = await startDemoUpstream(upstreamOptions);
  const db_url = `sqlite://${join(folder.path, "gateway.db")}`;
  const endpoints = ["chat_completions", "responses", "messages"];
  const file = {
    listen_port: 0,
    storage_config: { db_url },
    request_log: { enabled: false },
    llm_routes: { demo: { base_url: upstream.url, endpoints } },
    ...config,
  };
  const ignore = (): void => {};
  const log = { info: ignore, warn: ignore, error: ignore, close: async () => {} };
  const parsed = parseConfig(JSON.stringify(file), "test", {});
  const gateway = await createGateway(parsed, { log, console: consolePage });
  const { url } = await gateway.listen();
  const where = ["--db-path", db_url, "--gateway-base-url", url];
  const what = ["--llm-model", "demo", "--runtime-command", agentCommand];
  return {
    url,
    db_url,
    folder: folder.path,
    run: (...more) => ["run", ...what, ...where, ...more],
    write: (name, content) => writeFile(join(folder.path, name), content),
    async [Symbol.asyncDispose]() {
      await gateway.close();
      await upstream.close();
      await folder.remove();
    },
  };
}
