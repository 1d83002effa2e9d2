import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { type Answer, parseAnswer } from "../answer/answer.ts";
import { AnswerFailure } from "../answer/answer-failure.ts";
import type { SecretMask } from "../answer/secret-mask.ts";
import { shorten } from "../answer/shorten.ts";
import { type InputText, writeInput } from "./command-input.ts";
import type { CommandOptions, Environment } from "./command-options.ts";
import { CommandOutput } from "./command-output.ts";
import { type StartedCommand, startCommand } from "./start-command.ts";

export interface CommandTask {
  readonly input: InputText;
  /** Goes before the `env` of the options. */
  readonly env: Environment;
  readonly mask: SecretMask;
  readonly signal: AbortSignal;
}

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const defaultGraceMs = 5_000;
/** How long output is waited for after the end: a process that was left behind may hold the pipes. */
const drainMs = 500;

/**
 * Runs a command line to its end; its answer is the last line of its standard output. Whatever
 * happens, all of its process group is ended.
 * @throws AnswerFailure it has no answer
 * @throws the signal's reason, and what the input throws; the command was ended for it
 */
export async function runCommand(
  command: string,
  options: CommandOptions,
  { input, env, mask, signal }: CommandTask,
): Promise<Answer> {
  signal.throwIfAborted();
  const started = await startCommand(command, options, env);
  const { child } = started;
  const output = new CommandOutput(mask);
  const pipes = [child.stdin, child.stdout, child.stderr];
  // A pipe that breaks shows in the answer; unheard, its error would end the launcher.
  for (const pipe of pipes) pipe.on("error", () => {});
  child.stdout.on("data", output.printed);
  child.stderr.on("data", output.complained);

  const stopping = new AbortController();
  const stop = (reason: unknown): void => stopping.abort(reason);
  const stopForSignal = (): void => stop(signal.reason);
  signal.addEventListener("abort", stopForSignal);
  if (signal.aborted) stopForSignal();
  writeInput(child.stdin, input).catch(stop);
  try {
    const exit = await waitForEnd(started, stopping.signal, options.graceMs ?? defaultGraceMs);
    return readAnswer(exit, output, mask);
  } finally {
    signal.removeEventListener("abort", stopForSignal);
    started.group.killRest();
    for (const pipe of pipes) pipe.destroy();
  }
}

/** @throws the stop's reason */
async function waitForEnd(
  { child, group }: StartedCommand,
  stop: AbortSignal,
  graceMs: number,
): Promise<Exit> {
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const exited = new Promise<Exit>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  const stopped = new Promise<null>((resolve) => {
    if (stop.aborted) resolve(null);
    stop.addEventListener("abort", () => resolve(null));
  });
  const exit = await Promise.race([exited, stopped]);
  if (exit !== null) await Promise.race([closed, stopped, drained()]);
  if (exit !== null && !stop.aborted) return exit;
  await group.end(graceMs);
  throw stop.reason;
}

async function drained(): Promise<void> {
  await sleep(drainMs, null, { ref: false });
  // On a busy machine the time can be up before anything was read: this turn of the loop reads first.
  await setImmediate();
}

function readAnswer({ code, signal }: Exit, output: CommandOutput, mask: SecretMask): Answer {
  const last_output = output.lastOutput();
  if (code !== 0) {
    const how = code === null ? `was ended by ${signal}` : `exited with code ${code}`;
    const words = output.lastWords();
    const message = words === null ? `${how} and printed nothing` : `${how}: ${shorten(words)}`;
    throw new AnswerFailure("exited", message, last_output);
  }
  const line = output.lastLine();
  if (line === null) {
    throw new AnswerFailure("bad_result", "printed nothing on its standard output", last_output);
  }
  return parseAnswer(line, mask, last_output);
}
