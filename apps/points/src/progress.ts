const grouped = new Intl.NumberFormat("en");

export interface Progress {
  show(text: string): void;
  /** Erases the line before anything else is printed. */
  clear(): void;
}

/** One line of progress, shown only on a terminal. */
export function createProgress(
  output: { readonly isTTY?: boolean; write(text: string): unknown } = process.stderr,
): Progress {
  const rewrite = (text: string): void => {
    if (output.isTTY) output.write(`\r\x1b[K${text}`);
  };
  return { show: rewrite, clear: () => rewrite("") };
}

/** "1,234 lines" */
export const counted = (count: number, noun: string, nouns: string = `${noun}s`): string =>
  `${grouped.format(count)} ${count === 1 ? noun : nouns}`;
