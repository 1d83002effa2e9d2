/** What is nested deeper stays on one line: indents would be longer than everything else. */
const deepest = 60;

/**
 * JSON with line breaks and indents. Without recursion, because it may be nested 100,000 deep. Numbers
 * keep every digit, and text that is not JSON stays as it is.
 */
export function prettyJson(text: string): string {
  const parts: string[] = [];
  let depth = 0;
  const newLine = (): void => {
    if (depth <= deepest) parts.push(`\n${"  ".repeat(depth)}`);
  };
  const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[[{]\s*[\]}]|[[\]{},:]|[^\s"[\]{},:]+/gs;
  for (const [token] of text.matchAll(tokens)) {
    if (token === "{" || token === "[") {
      depth += 1;
      parts.push(token);
      newLine();
    } else if (token === "}" || token === "]") {
      depth -= 1;
      newLine();
      parts.push(token);
    } else if (token === ",") {
      parts.push(token);
      newLine();
    } else parts.push(token === ":" ? ": " : token);
  }
  return parts.join("");
}
