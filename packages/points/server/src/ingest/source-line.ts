/** A line of a file: its value, or why it could not be read. */
export type SourceLine =
  | { readonly line: number; readonly value: unknown }
  | { readonly line: number; readonly error: string };

/** Lines in batches: awaiting each line alone would double the cost of reading it. */
export type SourceLines = AsyncIterable<readonly SourceLine[]>;

/** A longer line is an error, and is not held in memory. */
export const maxLineLength: number = 1024 * 1024;
