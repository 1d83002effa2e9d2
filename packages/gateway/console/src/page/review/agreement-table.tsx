import { agreementsOf } from "@proj/launcher-client/statistics";
import type { Score } from "@proj/session-store";
import { reward } from "../text/format.ts";
import { visible } from "../text/visible.ts";

/** How far people, judges and the evaluator agree, once a person has scored all of theirs. */
export function AgreementTable({ scores }: { readonly scores: readonly Score[] }) {
  const agreements = agreementsOf(scores);
  if (agreements.length === 0) return null;
  const shown = (value: number | null): string => (value === null ? "–" : reward(value));
  return (
    <section aria-label="Agreement">
      <h3>Agreement</h3>
      <ul class="agreements">
        {agreements.map(({ name, authors, sessions, kappa, alpha }) => (
          <li key={`${name} ${authors.join(" ")}`}>
            <strong>{visible(name)}</strong>: {visible(authors[0])} and {visible(authors[1])},{" "}
            {sessions} rollouts, kappa <span data-name="kappa">{shown(kappa)}</span>, alpha{" "}
            <span data-name="alpha">{shown(alpha)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
