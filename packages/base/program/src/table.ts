export interface Column {
  readonly title: string;
  /** @default "left" */
  readonly align?: "left" | "right";
}

/** Rows under their titles, in columns as wide as needed. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const titles = columns.map(({ title }) => title);
  const widths = columns.map(({ title }, index) =>
    rows.reduce((width, row) => Math.max(width, (row[index] ?? "").length), title.length),
  );
  const line = (cells: readonly string[]): string =>
    columns
      .map(({ align }, index) => {
        const [cell = "", width = 0] = [cells[index], widths[index]];
        return align === "right" ? cell.padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd();
  return [titles, ...rows].map((cells) => `${line(cells)}\n`).join("");
}
