import { useEffect, useRef } from "preact/hooks";

const keys = [
  ["/", "search and filter"],
  ["j  k", "next, previous session or step"],
  ["Enter", "open the session; inspect the step"],
  ["n", "next error; side by side, the next difference"],
  ["e", "open everything, close it again"],
  ["g", "the latest step"],
  ["t", "the session's branches"],
  ["x", "in a job: choose a simulation, to be shown beside others"],
  ["f", "go on from the step in a new session"],
  ["Esc", "close the inspector, leave the search"],
  ["?", "this help"],
] as const;

const filters = [
  ["model:policy", "a step with this model"],
  ["status:active", "in the gateway's memory: active, closing, closed"],
  ["code:502", "a step with this status code"],
  ["error:*  error:timeout", "a step that failed; whose error says so"],
  ["tool:bash", "an answer that calls the tool"],
  ["reward<1", "also <=, =, >=, >"],
  ["job:ID  group:ID", "of a job, of a group"],
  ["any words", "in what was said, or in the session's id"],
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
      <Terms title="Filters of sessions" terms={filters} />
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
