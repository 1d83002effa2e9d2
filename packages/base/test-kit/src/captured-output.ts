export interface CapturedEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Collects the output of a program that runs in this process, which is quicker than starting one.
 * @param run resolves with the exit code
 */
export async function captureOutput(run: () => Promise<number>): Promise<CapturedEnd> {
  const told = { stdout: "", stderr: "" };
  const { log, error } = console;
  const { write } = process.stdout;
  console.log = (text: unknown) => {
    told.stdout += `${text}\n`;
  };
  console.error = (text: unknown) => {
    told.stderr += `${text}\n`;
  };
  process.stdout.write = (text: string | Uint8Array) => {
    told.stdout += String(text);
    return true;
  };
  try {
    return { code: await run(), ...told };
  } finally {
    Object.assign(console, { log, error });
    process.stdout.write = write;
  }
}
