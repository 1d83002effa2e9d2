import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { SecretMask } from "@proj/gateway-protocol";
import { type Answer, parseAnswer } from "../answer/answer.ts";
import { AnswerFailure } from "../answer/answer-failure.ts";
import { shorten } from "../answer/shorten.ts";
import { type InputText, writeInput } from "./command-input.ts";
import { CommandOutput } from "./command-output.ts";
import { type CommandStart, type StartedCommand, startCommand } from "./start-command.ts";

export interface CommandTask {
  readonly input: InputText;
  /**
   * Makes what the command needs before its input comes. It is given the command's mark and a signal that aborts when
   * the command has ended, and resolves to a function that takes it away again.
   */
  readonly prepare?: ((mark: string, signal: AbortSignal) => Promise<() => void>) | undefined;
  /** Called when an announced command begins. */
  readonly begun?: (() => void) | undefined;
  /** How long it may take to end after SIGTERM, in milliseconds. @default 5000 */
  readonly graceMs?: number | undefined;
  readonly mask: SecretMask;
  readonly signal: AbortSignal;
}

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const defaultGraceMs = 5_000;
/** How long to wait for output after the end: a process that was left behind may hold the pipes open. */
const drainMs = 500;

/**
 * Runs a command to its end; its answer is the last line of its standard output. Whatever happens, everything it
 * started is ended too: its process group and, on Linux, processes that left that group.
 * @throws AnswerFailure it has no answer
 * @throws the signal's reason, and what the input or the preparation throws; either ends the command
 */
export async function runCommand(
  start: CommandStart,
  { input, prepare, begun, graceMs = defaultGraceMs, mask, signal }: CommandTask,
): Promise<Answer> {
  signal.throwIfAborted();
  const started = await startCommand(start);
  const { child } = started;
  const output = new CommandOutput(mask, start.isAnnounced, begun);
  const pipes = [child.stdin, child.stdout, child.stderr];
  // A broken pipe shows in the answer; without a listener its error would end the launcher.
  for (const pipe of pipes) pipe.on("error", () => {});
  child.stdout.on("data", output.printed);
  child.stderr.on("data", output.complained);

  const stopping = new AbortController();
  const stop = (reason: unknown): void => stopping.abort(reason);
  const stopForSignal = (): void => stop(signal.reason);
  signal.addEventListener("abort", stopForSignal);
  if (signal.aborted) stopForSignal();
  const over = new AbortController();
  const preparing = prepare?.(started.mark, AbortSignal.any([over.signal, stopping.signal]));
  writeInput(child.stdin, preparing === undefined ? input : inputAfter(preparing, input)).catch(
    stop,
  );
  try {
    const exit = await waitForEnd(started, stopping.signal, graceMs);
    return readAnswer(exit, output, mask);
  } finally {
    signal.removeEventListener("abort", stopForSignal);
    over.abort();
    await started.leave();
    (await preparing?.catch(() => null))?.();
    for (const pipe of pipes) pipe.destroy();
  }
}

async function* inputAfter(preparing: Promise<unknown>, input: InputText): AsyncGenerator<string> {
  await preparing;
  yield* input;
}

/** @throws the stop's reason */
async function waitForEnd(
  { child, tree }: StartedCommand,
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
  await tree.end(graceMs);
  throw stop.reason;
}

async function drained(): Promise<void> {
  await sleep(drainMs, null, { ref: false });
  // On a busy machine the time can be up before anything was read: this turn of the event loop reads first.
  await setImmediate();
}

function readAnswer({ code, signal }: Exit, output: CommandOutput, mask: SecretMask): Answer {
  const last_output = output.lastOutput();
  if (code !== 0 || !output.hasBegun) {
    const how = code === null ? `was ended by ${signal}` : `exited with code ${code}`;
    const words = output.lastWords();
    const message = words === null ? `${how} and printed nothing` : how;
    if (output.hasBegun) throw new AnswerFailure("exited", message, last_output, { said: words });
    const why = words === null ? message : `${how}: ${shorten(words)}`;
    throw new AnswerFailure("not_started", `could not be started: it ${why}`, last_output);
  }
  const line = output.lastLine();
  if (line === null) {
    throw new AnswerFailure("bad_result", "printed nothing on its standard output", last_output);
  }
  return parseAnswer(line, mask, last_output);
}
