import { useEffect, useRef } from "preact/hooks";
import { stripParts } from "../session/time-strip.tsx";
import "./help.css";

const keys = [
  ["/", "search and filter"],
  ["j  k", "next, previous row or step"],
  ["Enter", "open the row; inspect the step"],
  ["n", "next error; when comparing, next difference"],
  ["e", "expand or collapse everything"],
  ["g", "latest step, and those that follow"],
  ["h  l", "previous, next rollout of the job"],
  ["t", "show or hide the branches"],
  ["r", "texts rendered, or as they were written"],
  ["x", "in a job: choose a simulation to compare"],
  ["f", "fork: continue from the step in a new session"],
  ["Esc", "close the inspector; leave the search field"],
  ["?", "this help"],
] as const;

const filters = [
  ["model:policy", "a step used this model"],
  ["status:failed", "its attempt failed; also running, finished, infrastructure, active …"],
  ["cause:time_out", "its attempt failed for this cause, or with this code"],
  ["code:502", "a step ended with this status code"],
  ["error:*  error:timeout", "a step failed; its error contains the word"],
  ["tool:bash", "an answer calls this tool"],
  ["reward<1", "also <=, =, >=, >"],
  ["job:ID  group:ID", "part of this job or group"],
  ["any words", "in the messages or the session's id"],
] as const;

export function Help({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} onClose={onClose} aria-label="Help">
      <form method="dialog" class="leave">
        <button type="submit">Close</button>
      </form>
      <Terms title="Keys" terms={keys} />
      <Terms title="Filters for sessions" terms={filters} />
      <h2>The strip above a step</h2>
      <dl class="terms">
        {stripParts.map(([name, meaning]) => (
          <div key={name}>
            <dt>
              <span class={`strip-part ${name}`} />
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  );
}

interface TermsProps {
  readonly title: string;
  readonly terms: readonly (readonly [string, string])[];
}

function Terms({ title, terms }: TermsProps) {
  return (
    <>
      <h2>{title}</h2>
      <dl class="terms">
        {terms.map(([term, meaning]) => (
          <div key={term}>
            <dt>
              <kbd>{term}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
