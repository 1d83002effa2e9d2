import type { ComponentChildren } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { useKeys } from "../shell/keys.ts";
import { hrefWith, replacePlace } from "../shell/location.ts";
import { reachable } from "../shell/reachable.ts";
import { Choice } from "./choice.tsx";
import { useGrowing } from "./use-growing.ts";
import "./sorted-table.css";

export interface SortedColumn<Row> {
  /** In the URL and in the head. */
  readonly name: string;
  /** What it is sorted by; null: unknown, which comes last. */
  readonly by: (row: Row) => number | string | null;
  readonly show: (row: Row) => ComponentChildren;
}

/** A column of values that may be unknown. @param text shows a known one @default as it is */
export const column = <Row, Value extends number | string | null>(
  name: string,
  by: (row: Row) => Value | null | undefined,
  text: (value: Value, row: Row) => ComponentChildren = (value) => value,
): SortedColumn<Row> => ({
  name,
  by: (row) => by(row) ?? null,
  show: (row) => {
    const value = by(row) ?? null;
    return value === null ? "–" : text(value, row);
  },
});

interface SortedTableProps<Row> {
  readonly caption: string;
  /** The first says what a row is about. */
  readonly columns: readonly SortedColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Rows that are looked for with `n`. */
  readonly isFailed?: (row: Row) => boolean;
  /** `sort` is a column's name, after a `-` if the largest comes first. */
  readonly query: URLSearchParams;
  /** @default in the given order */
  readonly sort?: string;
}

/** How many rows are put into the document at a time. */
const step = 100;
const entries = "td:first-child a";
const byName = new Intl.Collator("en", { numeric: true });

/** A table sorted by any of its columns. The order is in the URL. */
export function SortedTable<Row>(props: SortedTableProps<Row>) {
  const { caption, columns, rows, keyOf, isFailed, query, sort = "" } = props;
  const order = query.get("sort") ?? sort;
  const isDown = order.startsWith("-");
  const name = isDown ? order.slice(1) : order;
  const by = columns.find((each) => each.name === name)?.by;
  const sorted = useMemo(
    () => (by === undefined ? rows : sortedBy(rows, by, isDown)),
    [rows, order, columns],
  );
  const { shown, end, move } = useGrowing(sorted.length, step);
  const table = useRef<HTMLTableElement>(null);
  useKeys({
    j: () => move(table.current, entries, 1),
    k: () => move(table.current, entries, -1),
    n: () => move(table.current, `tr.failed ${entries}`, 1),
  });
  if (rows.length === 0) return <p class="empty">{caption}: none.</p>;
  return (
    <section class="wide" aria-label={caption} {...reachable}>
      <div class="sort-choice">
        <Choice
          name="Sort by"
          value={order}
          options={columns.flatMap((each) => [
            [each.name, `${each.name} ↑`],
            [`-${each.name}`, `${each.name} ↓`],
          ])}
          none=""
          onChoice={(sort) => replacePlace(hrefWith({ sort }))}
        />
      </div>
      <table ref={table} class="list sorted">
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((each) => (
              <th key={each.name} scope="col" aria-sort={sortOf(each.name === name, isDown)}>
                <button
                  type="button"
                  class="plain"
                  onClick={() => replacePlace(hrefWith({ sort: turned(each.name, order) }))}
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
            <tr key={keyOf(row)} class={isFailed?.(row) ? "failed" : ""}>
              {columns.map(({ name, by, show }) => (
                <td
                  key={name}
                  class={typeof by(row) === "number" ? "number" : by(row) === null ? "nothing" : ""}
                  data-name={name === columns[0]?.name ? undefined : name}
                >
                  {show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div ref={end} />
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
  const known = rows.map((row) => ({ row, value: by(row) }));
  known.sort(({ value: one }, { value: other }) => {
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return isDown ? compared(other, one) : compared(one, other);
  });
  return known.map(({ row }) => row);
}
