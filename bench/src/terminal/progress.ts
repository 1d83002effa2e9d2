const inColour = process.stderr.isTTY && process.env.NO_COLOR === undefined;

/** Progress goes to standard error, so that tables can be redirected. */
export function progress(line: string): void {
  process.stderr.write(`${inColour ? `\u001b[2m${line}\u001b[0m` : line}\n`);
}

export function warning(line: string): void {
  process.stderr.write(`${inColour ? `\u001b[33m${line}\u001b[0m` : line}\n`);
}

/** PASS and FAIL in colour on a terminal. */
export function verdict(passed: boolean): string {
  const word = passed ? "PASS" : "FAIL";
  if (!process.stdout.isTTY || process.env.NO_COLOR !== undefined) return word;
  return `\u001b[${passed ? 32 : 31}m${word}\u001b[0m`;
}
