/** A line of a file: what it holds, or why that could not be read. */
export type SourceLine =
  | { readonly line: number; readonly value: unknown }
  | { readonly line: number; readonly error: string };

/** Lines as they come, many at a time: waiting for each alone would cost as much as reading it. */
export type SourceLines = AsyncIterable<readonly SourceLine[]>;

/** A line that is longer is an error, and no more than this of it is held. */
export const longestLine: number = 1024 * 1024;
