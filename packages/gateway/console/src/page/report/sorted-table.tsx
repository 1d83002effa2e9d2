import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { hrefWith, replacePlace } from "../shell/location.ts";
import { reachable } from "../shell/reachable.ts";
import { count } from "../text/format.ts";

export interface SortedColumn<Row> {
  /** In the URL and in the head. */
  readonly name: string;
  /** What it is sorted by; null: unknown, which comes last. */
  readonly by: (row: Row) => number | string | null;
  /** @default what it is sorted by */
  readonly show?: (row: Row) => ComponentChildren;
}

interface SortedTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly SortedColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** `sort` is a column's name, after a `-` if the largest comes first. */
  readonly query: URLSearchParams;
  /** @default in the given order */
  readonly sort?: string;
}

/** How many rows are in the document at first, and how many more at a time. */
const step = 200;
const byName = new Intl.Collator("en", { numeric: true });

/** A table sorted by any of its columns. The order is in the URL. */
export function SortedTable<Row>(props: SortedTableProps<Row>) {
  const { caption, columns, rows, keyOf, query, sort = "" } = props;
  const [shown, setShown] = useState(step);
  const order = query.get("sort") ?? sort;
  const isDown = order.startsWith("-");
  const name = isDown ? order.slice(1) : order;
  const column = columns.find((each) => each.name === name);
  const sorted = column === undefined ? rows : sortedBy(rows, column.by, isDown);
  if (rows.length === 0) return <p class="empty">{caption}: none.</p>;
  return (
    <section class="scroller" aria-label={caption} {...reachable}>
      <table class="sorted">
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((each) => (
              <th key={each.name} scope="col" aria-sort={sortOf(each.name === name, isDown)}>
                <button
                  type="button"
                  class="plain"
                  onClick={() => replacePlace(hrefWith("sort", turned(each.name, order)))}
                >
                  {each.name}
                  <span aria-hidden="true">{each.name === name && (isDown ? " ↓" : " ↑")}</span>
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, shown).map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, by, show }) => (
                <td key={name} class={typeof by(row) === "number" ? "number" : ""}>
                  {by(row) === null && show === undefined ? "–" : (show ?? by)(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {shown < sorted.length && (
        <p>
          <button type="button" onClick={() => setShown(shown + step)}>
            Show more of {count(sorted.length)}
          </button>
        </p>
      )}
    </section>
  );
}

/** The smallest first, then the largest first. */
const turned = (name: string, order: string): string => (order === name ? `-${name}` : name);

const sortOf = (isSorted: boolean, isDown: boolean): "ascending" | "descending" | undefined =>
  isSorted ? (isDown ? "descending" : "ascending") : undefined;

function sortedBy<Row>(
  rows: readonly Row[],
  by: SortedColumn<Row>["by"],
  isDown: boolean,
): readonly Row[] {
  const compared = (one: number | string, other: number | string): number =>
    typeof one === "number" && typeof other === "number"
      ? one - other
      : byName.compare(String(one), String(other));
  return [...rows].sort((first, second) => {
    const [one, other] = [by(first), by(second)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return isDown ? compared(other, one) : compared(one, other);
  });
}
