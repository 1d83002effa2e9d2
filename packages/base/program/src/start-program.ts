import type { Program } from "./command-line/program.ts";
import { exitCode } from "./exit-code.ts";
import { keepTicksFast } from "./keep-ticks-fast.ts";
import { runProgram } from "./run-program.ts";

/** A program ends because it was sent a signal. */
export class Interruption extends Error {
  override readonly name = "Interruption";
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    super(`ended by ${signal}`);
    this.signal = signal;
  }
}

/**
 * Runs a program as this process: with its arguments, its signals and its exit code. The first SIGINT or SIGTERM asks
 * the command to end in an orderly way; the second ends the process immediately, unless the command `endsItself`. The
 * environment's CALLED_AS says how the program was called.
 */
export async function startProgram(program: Program): Promise<void> {
  keepTicksFast();
  const [first, second] = [new AbortController(), new AbortController()];
  let endsItself = false;
  const onSignal = (name: NodeJS.Signals): void => {
    if (!first.signal.aborted) first.abort(new Interruption(name));
    else if (endsItself) second.abort(new Interruption(name));
    else process.exit(exitCode.interrupted);
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  for (const stream of [process.stdout, process.stderr]) stream.on("error", ignoreClosed);
  const { CALLED_AS } = process.env;
  // It does not apply to programs that this one starts.
  delete process.env.CALLED_AS;
  process.exitCode = await runProgram(program, process.argv.slice(2), {
    signal: first.signal,
    urgent: second.signal,
    ...(CALLED_AS === undefined ? {} : { calledAs: CALLED_AS }),
    onCommand: (command) => {
      endsItself = command.endsItself ?? false;
    },
  });
}

/** A reader that stops early (`| head`) does not end the work. */
function ignoreClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}
