/** A word of a POSIX shell that stands for the text. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
