import type { StoredRow } from "@proj/session-store";
import { hrefOf } from "../../shell/location.ts";
import { reachable } from "../../shell/reachable.ts";
import { plural } from "../../text/format.ts";
import { visible } from "../../text/visible.ts";
import { nameOf } from "../step-name.ts";
import type { Branch, BranchKind } from "./branch.ts";
import "./tree.css";

interface SessionTreeProps {
  readonly session_id: string;
  readonly rows: readonly StoredRow[];
  readonly branches: readonly Branch[];
  /** The branch that is shown alone; null: everything is shown. */
  readonly chosen: Branch | null;
}

/** Where a session branches. Each branch is a link that shows its calls alone. */
export function SessionTree({ session_id, rows, branches, chosen }: SessionTreeProps) {
  return (
    <nav class="tree" aria-label="Branches" {...reachable}>
      <a
        href={hrefOf("sessions", session_id)}
        aria-current={chosen === null ? "true" : undefined}
        class="branch"
      >
        Everything by time
        <span class="quiet"> {plural(rows.length, "call")}</span>
      </a>
      <Branches {...{ session_id, rows, branches, chosen }} />
    </nav>
  );
}

function Branches({ session_id, rows, branches, chosen }: SessionTreeProps) {
  return (
    <ul>
      {branches.map((branch) => (
        <li key={branch.id}>
          <a
            href={hrefOf("sessions", session_id, { branch: branch.id })}
            aria-current={branch === chosen ? "true" : undefined}
            class={`branch ${branch.kind}`}
          >
            <span class="kind">{titleOf(branch)}</span>
            <span class="quiet">
              {" "}
              {plural(branch.calls.length, "call")}
              {after(branch, rows)}
            </span>
            <Outcomes branch={branch} rows={rows} />
          </a>
          {branch.children.length > 0 && (
            <Branches {...{ session_id, rows, chosen }} branches={branch.children} />
          )}
        </li>
      ))}
    </ul>
  );
}

const titles: Readonly<Record<BranchKind, string>> = {
  main: "Main",
  fork: "Fork",
  subagent: "Subagent",
  side_call: "Side call",
  retried: "Retried",
  conversation: "Another conversation",
};

export const titleOf = ({ kind, name }: Branch): string =>
  name === "" ? titles[kind] : `${titles[kind]} ${visible(name)}`;

function after({ parent, after }: Branch, rows: readonly StoredRow[]): string {
  const row = rows[after];
  return parent === null || row === undefined ? "" : `, after ${nameOf(row).toLowerCase()}`;
}

const mostMarks = 48;

/** A mark for each call; for a long branch, only the last ones. */
function Outcomes({ branch, rows }: Pick<SessionTreeProps, "rows"> & { readonly branch: Branch }) {
  const statuses = branch.calls.map((call) => rows[call]?.status_code ?? 0);
  const failed = statuses.filter((status) => status !== 200).length;
  return (
    <>
      {failed > 0 && <span class="bad"> {failed} failed</span>}
      <span class="marks" aria-hidden="true">
        {statuses.slice(-mostMarks).map((status, index) => (
          <span key={index} class={status === 200 ? "" : "failed"} />
        ))}
      </span>
    </>
  );
}
