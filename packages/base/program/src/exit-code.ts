/** The exit codes of every program. */
export const exitCode = {
  /** Done, or stopped in an orderly way by a signal. */
  done: 0,
  /** It ran, and the answer is no: the work failed, something was not found, or a problem was found. */
  no: 1,
  /** The command line, or a configuration, is wrong. */
  usage: 2,
  /** It could not run: a file, an address, a database, the network. */
  failed: 3,
  /** A signal cut it short. */
  interrupted: 130,
} as const;

/**
 * Each exit code and its meaning, as a command's help shows them.
 * @param no what 1 means for this command; null: it never ends with 1
 */
export function exitCodes(no: string | null): readonly (readonly [string, string])[] {
  return [
    [String(exitCode.done), "done, or stopped in an orderly way by a signal"],
    ...(no === null ? [] : [[String(exitCode.no), no] as const]),
    [String(exitCode.usage), "the command line or a configuration is wrong"],
    [
      String(exitCode.failed),
      "it could not run: a file, an address, a database or the network failed",
    ],
    [String(exitCode.interrupted), "a signal cut it short"],
  ];
}
