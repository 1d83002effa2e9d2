const width = 100;

/**
 * Rows of a term and its explanation. Text that is too long for a line continues on the next one, as does the
 * explanation of a term that is wider than its column.
 */
export function columns(rows: readonly (readonly [string, string])[], most: number = 26): string {
  const widest = Math.max(...rows.map(([term]) => (term.length > most ? 0 : term.length)), 0);
  const indent = widest + 4;
  return rows
    .map(([term, about]) => {
      const lines = wrap(about, width - indent);
      const isWide = term.length > widest;
      const first = isWide ? `  ${term}\n${" ".repeat(indent)}` : `  ${term.padEnd(widest)}  `;
      return `${`${first}${lines.join(`\n${" ".repeat(indent)}`)}`.trimEnd()}\n`;
    })
    .join("");
}

/** Lines of a text, broken between words. */
export function wrap(text: string, length: number = width): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > length) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
