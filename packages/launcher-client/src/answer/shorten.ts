const longestInMessages = 300;

/** A text on one line, cut to what a message can hold. Secrets are to be masked before. */
export function shorten(text: string): string {
  const line = text
    .slice(0, 4 * longestInMessages)
    .replace(/\s+/g, " ")
    .trim();
  return line.length > longestInMessages ? `${line.slice(0, longestInMessages)}…` : line;
}
