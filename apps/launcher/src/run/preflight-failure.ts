import { PreflightError } from "@proj/launcher-client";
import { exitCode, ProgramError } from "@proj/program";

/** Everything that a preflight found, one finding per line; any other error unchanged. */
export function preflightFailure(error: unknown): unknown {
  if (!(error instanceof PreflightError)) return error;
  const messages = error.errors.map(({ message }) => message);
  return new ProgramError(messages, exitCode.usage, { cause: error });
}
