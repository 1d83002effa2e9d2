import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { OutputTail } from "../../child-process/output-tail.ts";
import { engineEnvironment } from "../../sandbox/engine-environment.ts";

/** podman or docker, whose service is on this machine. */
export type EngineName = "podman" | "docker";

export interface Called {
  /** Null: it was ended. */
  readonly code: number | null;
  readonly stdout: string;
  /** Its end. */
  readonly stderr: string;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  /** @default null: as long as the signal allows */
  readonly timeoutMs?: number | null;
  /** Added to the engine's own environment, for `--env NAME`. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Room for the paths of a million changed files. */
const maxOutput = 64 * 1024 * 1024;
/** An agent may complain without end. */
const keptComplaints = 64 * 1024;

/** Runs the engine's program to its end, whatever its code. @throws TimeUp; the signal's reason */
export async function callEngine(
  engine: EngineName,
  args: readonly string[],
  { signal, timeoutMs = null, env = {} }: CallOptions,
): Promise<Called> {
  signal.throwIfAborted();
  const timeUp = timeoutMs === null ? null : AbortSignal.timeout(timeoutMs);
  const program = spawn(engine, args, {
    env: { ...env, ...engineEnvironment() },
    cwd: "/",
    stdio: ["ignore", "pipe", "pipe"],
    killSignal: "SIGKILL",
    signal: timeUp === null ? signal : AbortSignal.any([signal, timeUp]),
  });
  const complaints = new OutputTail(keptComplaints);
  program.stderr.on("data", (chunk: Uint8Array) => complaints.append(chunk));
  try {
    const [stdout, [code]] = await Promise.all([outputOf(program), once(program, "close")]);
    return { code, stdout, stderr: complaints.text() };
  } catch (error) {
    signal.throwIfAborted();
    if (timeUp?.aborted) throw new EngineTimeUp(`its ${(timeoutMs ?? 0) / 1000} s were up`);
    throw error;
  }
}

async function outputOf(program: ChildProcessByStdio<null, Readable, Readable>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of program.stdout) {
    size += chunk.length;
    chunks.push(chunk);
    if (size <= maxOutput) continue;
    program.kill("SIGKILL");
    throw new Error(`${program.spawnfile} printed more than ${maxOutput} bytes`);
  }
  return Buffer.concat(chunks).toString();
}

/** A command's time was up. It may go on in its container. */
export class EngineTimeUp extends Error {
  override readonly name = "EngineTimeUp";
}

/** As `callEngine`. @returns standard output @throws Error the code was not 0, with its last words */
export async function askEngine(
  engine: EngineName,
  args: readonly string[],
  options: CallOptions,
): Promise<string> {
  const { code, stdout, stderr } = await callEngine(engine, args, options);
  if (code === 0) return stdout.trim();
  const words = (stderr.trim() || stdout.trim()).split("\n").slice(-5).join("\n");
  throw new Error(`${engine} ${args[0]} ended with ${code}: ${words.slice(-2_000)}`);
}
