import type { Entries, Entry } from "./read-simulations.ts";

/** One JSON value per line; blank lines are ignored. */
export function readJsonLines(content: string): Entries {
  const entries: Entry[] = [];
  const problems: string[] = [];
  // A file written on Windows may begin with a byte order mark.
  for (const [index, line] of content
    .replace(/^\ufeff/, "")
    .split("\n")
    .entries()) {
    if (line.trim() === "") continue;
    const where = `line ${index + 1}`;
    try {
      entries.push({ where, value: JSON.parse(line, refuseInexact) });
    } catch (error) {
      problems.push(`${where}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { entries, problems };
}

/** A seed that silently differs from the written one would be noticed late. */
function refuseInexact(
  _name: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  const source = context?.source ?? "";
  if (typeof value === "number" && /^-?\d+$/.test(source) && !Number.isSafeInteger(value)) {
    throw new Error(inexactInteger(source));
  }
  return value;
}

export const inexactInteger = (digits: string): string =>
  `${digits} is beyond 2^53 and would lose digits: write it as a string`;
