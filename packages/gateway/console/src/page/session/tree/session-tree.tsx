import type { StoredRow } from "@proj/session-store";
import { hrefOf } from "../../shell/location.ts";
import { reachable } from "../../shell/reachable.ts";
import { count, plural } from "../../text/format.ts";
import { factsOf } from "../step-facts.ts";
import { nameOf } from "../step-name.ts";
import { type Branch, titleOf } from "./branch.ts";
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

function after({ parent, after }: Branch, rows: readonly StoredRow[]): string {
  const row = rows[after];
  return parent === null || row === undefined ? "" : `, after ${nameOf(row).toLowerCase()}`;
}

/** As many as fit beside each other. */
const maxMarks = 24;

type Outcome = "answered" | "failed" | "replayed" | "retry";

function outcomeOf(row: StoredRow): Outcome {
  if (row.status_code !== 200) return "failed";
  const { replayed_from, retry_of } = factsOf(row);
  return replayed_from !== null ? "replayed" : retry_of !== null ? "retry" : "answered";
}

/** Equal outcomes in a row are one element: a session may have hundreds of branches. */
function runsOf(outcomes: readonly Outcome[]): readonly (readonly [Outcome, number])[] {
  const runs: [Outcome, number][] = [];
  for (const outcome of outcomes) {
    const last = runs.at(-1);
    if (last?.[0] === outcome) last[1] += 1;
    else runs.push([outcome, 1]);
  }
  return runs;
}

/** A mark for each call; for a long branch, only the last ones. */
function Outcomes({ branch, rows }: Pick<SessionTreeProps, "rows"> & { readonly branch: Branch }) {
  const outcomes = branch.calls.flatMap((call) => {
    const row = rows[call];
    return row === undefined ? [] : [outcomeOf(row)];
  });
  const times = (outcome: Outcome): number => outcomes.filter((each) => each === outcome).length;
  const [failed, replayed, retries] = [times("failed"), times("replayed"), times("retry")];
  return (
    <>
      {failed > 0 && <span class="bad">, {count(failed)} failed</span>}
      {retries > 0 && <span class="quiet">, {plural(retries, "retry", "retries")}</span>}
      {replayed > 0 && <span class="gain">, {count(replayed)} replayed</span>}
      <span class="marks" aria-hidden="true">
        {runsOf(outcomes.slice(-maxMarks)).map(([outcome, times], index) => (
          <span key={index} class={outcome} style={{ "--times": times }} />
        ))}
      </span>
    </>
  );
}
