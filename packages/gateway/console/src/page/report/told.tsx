import type { Sheet, SheetTable } from "@proj/launcher-client/sheets";
import { reachable } from "../shell/reachable.ts";
import { TableHead } from "../table/table-head.tsx";
import { visible } from "../text/visible.ts";
import "./told.css";

/** What `launcher report` or `compare` prints, but for the tables of tasks. */
export function Told({ sheet }: { readonly sheet: Sheet }) {
  return (
    <>
      {sheet.summary.map((sentence, index) => (
        <p key={sentence} class={index === 0 ? "verdict" : ""}>
          {visible(sentence)}
        </p>
      ))}
      {sheet.tables
        .filter(({ isByTask }) => isByTask !== true)
        .map((table) => (
          <NumberTable key={table.title} {...table} />
        ))}
    </>
  );
}

function NumberTable({ title, columns, rows }: SheetTable) {
  return (
    <section class="wide" aria-label={title} {...reachable}>
      <table class="told">
        <caption>{title}</caption>
        {columns.some((column) => column.title === "value") ? null : (
          <TableHead columns={columns.map((column) => [column.title])} />
        )}
        <tbody>
          {rows.map(([name = "", ...values]) => (
            <tr key={name}>
              <th scope="row">{visible(name)}</th>
              {values.map((value, index) => (
                <td key={index}>{value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
