import type { ListItem } from "./page.ts";
import type { Grid } from "./table.ts";
import type { Words } from "./words.ts";

const field = /^(?<label>[^:`]{2,60}):\s+(?<value>\S[\s\S]*)$/;
const betweenFields = /\s\/\s+(?=[^:/]{2,60}:\s)/;

type Fields = ReadonlyMap<string, Words>;

/**
 * A table written as a list, as in the Markdown of AWS's pages: one item per row, with an item "Heading: cell" per cell.
 * Items with several cells, "Regions: a / EOL date: b", are rows of their own that share the cells before them.
 */
export function readRecordList(items: readonly ListItem[]): Grid | undefined {
  const rows: Fields[] = [];
  for (const { words, lists } of items) {
    const cells = lists.flat().map(readFields);
    if (cells.length < 2 || cells.some((fields) => fields.size === 0)) return undefined;
    const name = words.text === "" ? [] : [["Name", words] as const];
    const shared = [
      ...name,
      ...cells.filter((fields) => fields.size === 1).flatMap((fields) => [...fields]),
    ];
    const own = cells.filter((fields) => fields.size > 1);
    for (const fields of own.length > 0 ? own : [new Map<string, Words>()])
      rows.push(new Map([...shared, ...fields]));
  }
  const headings = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const empty: Words = { text: "", links: [] };
  const grid = rows.map((row) => headings.map((heading) => row.get(heading) ?? empty));
  return rows.length > 0 ? { headings, rows: grid } : undefined;
}

function readFields({ words }: ListItem): Fields {
  const parts = words.text.split(betweenFields).map((part) => field.exec(part)?.groups);
  if (parts.includes(undefined)) return new Map();
  return new Map(parts.map((part) => [part?.label ?? "", { ...words, text: part?.value ?? "" }]));
}
