import { useMemo, useRef } from "preact/hooks";
import { useKeys } from "../shell/keys.ts";
import { hrefOf, type ViewProps } from "../shell/location.ts";
import { moveAmong } from "../shell/move-among.ts";
import { reachable } from "../shell/reachable.ts";
import { count, plural } from "../text/format.ts";
import type { Action } from "./action.ts";
import { ActionCell } from "./action-cell.tsx";
import { type AlignedRow, align, isSame } from "./align.ts";
import { maxRollouts } from "./compare-place.ts";
import { AddRollout, RolloutHead } from "./rollout-head.tsx";
import { maxSteps, type Rollout, useRollouts } from "./use-rollouts.ts";
import "./compare.css";

/** Sessions side by side: what their agents did, aligned by tool and arguments. */
export function CompareView({ query }: ViewProps) {
  const session_ids = [...new Set(query.getAll("s"))].slice(0, maxRollouts);
  const rollouts = useRollouts(session_ids);
  const rows = useMemo(() => align((rollouts ?? []).map(({ actions }) => actions)), [rollouts]);
  const table = useRef<HTMLTableElement>(null);
  useKeys({
    j: () => moveAmong(table.current, "tbody a.at", 1),
    k: () => moveAmong(table.current, "tbody a.at", -1),
    n: () => moveAmong(table.current, "tr.differs .first a.at", 1),
  });
  if (session_ids.length === 0) return <NoSessions />;
  if (rollouts === null) return <p class="page empty">Loading the rollouts …</p>;
  const divergence = rows.findIndex((row) => !isSame(row));
  const same = rows.filter(isSame).length;
  return (
    <div class="page compare">
      <p class="tools">
        <span>
          {plural(rollouts.length, "rollout")}, {count(same)} of {plural(rows.length, "action")} the
          same{divergence < 0 && rows.length > 0 && ": they never differ"}
        </span>
        {rollouts.some(({ isCut }) => isCut) && (
          <span class="quiet">the first {maxSteps} steps of each</span>
        )}
        {session_ids.length < maxRollouts && <AddRollout session_ids={session_ids} />}
      </p>
      <section class="scroller" aria-label="Rollouts side by side" {...reachable}>
        <table ref={table} class="aligned" style={{ "--rollouts": rollouts.length }}>
          <caption class="hidden">Rollouts side by side, aligned by tool and arguments</caption>
          <thead>
            <tr>
              {rollouts.map((rollout) => (
                <th key={rollout.session_id} scope="col">
                  <RolloutHead rollout={rollout} session_ids={session_ids} />
                </th>
              ))}
            </tr>
            {divergence >= 0 && <Pinned rows={rows} rollouts={rollouts} divergence={divergence} />}
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <ActionRow
                key={index}
                row={row}
                rollouts={rollouts}
                isFirstToDiffer={index === divergence}
              />
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

const NoSessions = () => (
  <p class="page empty">
    Nothing is chosen yet. Choose two to {maxRollouts} simulations of a{" "}
    <a href={hrefOf("jobs")}>job</a>, or compare a whole group.
  </p>
);

interface RowProps {
  readonly row: AlignedRow<Action>;
  readonly rollouts: readonly Rollout[];
}

/** What each does where they first differ: always in view, however far the table is scrolled. */
function Pinned({ rows, rollouts, divergence }: PinnedProps) {
  return (
    <>
      <tr class="pinned">
        <th colSpan={rollouts.length} scope="colgroup">
          First divergence,{" "}
          {divergence === 0 ? "from the start" : `after ${plural(divergence, "action")}`}
        </th>
      </tr>
      <tr class="pinned">
        {rollouts.map(({ session_id }, index) => {
          const next = rows.slice(divergence).find((row) => (row[index] ?? null) !== null);
          return (
            <td key={session_id}>
              <ActionCell action={next?.[index] ?? null} session_id={session_id} isWhole />
            </td>
          );
        })}
      </tr>
    </>
  );
}

interface PinnedProps {
  readonly rows: readonly AlignedRow<Action>[];
  readonly rollouts: readonly Rollout[];
  /** Position of the first row that differs. */
  readonly divergence: number;
}

function ActionRow({ row, rollouts, isFirstToDiffer }: RowProps & { isFirstToDiffer: boolean }) {
  if (isSame(row))
    return (
      <tr class="same">
        <td colSpan={row.length}>
          <ActionCell action={row[0] ?? null} session_id={rollouts[0]?.session_id ?? ""} />
        </td>
      </tr>
    );
  return (
    <tr class={isFirstToDiffer ? "differs first-to-differ" : "differs"}>
      {row.map((action, index) => (
        <td key={index} class={classOf(row, index)}>
          <ActionCell action={action} session_id={rollouts[index]?.session_id ?? ""} />
        </td>
      ))}
    </tr>
  );
}

/** Rollouts that do the same have the same shade; `first` marks the first that does anything. */
function classOf(row: AlignedRow<Action>, index: number): string {
  const action = row[index] ?? null;
  if (action === null) return "none";
  const kinds = [...new Set(row.flatMap((cell) => cell?.key ?? []))];
  const isFirst = row.findIndex((cell) => cell !== null) === index;
  return `kind-${Math.min(kinds.indexOf(action.key), 5)}${isFirst ? " first" : ""}`;
}
