const maxInMessages = 300;

/** A text on one line, cut to a length that fits a message. Mask secrets first. */
export function shorten(text: string): string {
  const line = text
    .slice(0, 4 * maxInMessages)
    .replace(/\s+/g, " ")
    .trim();
  return line.length > maxInMessages ? `${line.slice(0, maxInMessages)}…` : line;
}
