import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { TemporaryFolder } from "./temporary-folder.ts";
import { within } from "./time-out.ts";
import { waitFor } from "./wait-for.ts";

/** A load balancer in front of gateways. */
export interface Balancer extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

interface ProxyProgram {
  readonly file: string;
  readonly args: readonly string[];
  /** Further environment variables. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Where it listens on 127.0.0.1. */
  readonly port: number;
  /** With its configuration, which is removed when it has read it. */
  readonly folder: TemporaryFolder;
}

/** Starts a load balancer; ready when it answers. */
export async function startProxy(program: ProxyProgram): Promise<Balancer> {
  const { file, args, env, port, folder } = program;
  const proxy = spawn(file, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const read = (text: Buffer): void => {
    output += text.toString();
  };
  proxy.on("error", (error) => {
    output += error.message;
  });
  proxy.stdout.on("data", read);
  proxy.stderr.on("data", read);
  const url = `http://127.0.0.1:${port}`;
  try {
    await waitFor(() => answers(proxy, url), `${file} to answer`);
  } catch (cause) {
    await end(proxy);
    throw new Error(`${file} did not start:\n${output}`, { cause });
  } finally {
    await folder.remove();
  }
  return {
    ...{ url, pid: proxy.pid ?? 0 },
    [Symbol.asyncDispose]: () => end(proxy),
  };
}

async function answers(proxy: ChildProcess, url: string): Promise<boolean> {
  if (proxy.exitCode !== null) throw new Error(`it ended with ${proxy.exitCode}`);
  const answer = await fetch(`${url}/readyz`).catch(() => null);
  return answer !== null;
}

async function end(proxy: ChildProcess): Promise<void> {
  if (proxy.pid === undefined || proxy.exitCode !== null || proxy.signalCode !== null) return;
  const gone = once(proxy, "exit");
  proxy.kill("SIGKILL");
  await within(gone, "the end of a load balancer");
}
