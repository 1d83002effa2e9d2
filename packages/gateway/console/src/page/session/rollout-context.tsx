import type { Neighbour, Neighbours, Score } from "@proj/session-store";
import { compareHref, maxRollouts } from "../compare/compare-place.ts";
import { hrefOf } from "../shell/location.ts";
import { reward } from "../text/format.ts";
import { LongText } from "../text/long-text.tsx";
import { readable } from "../text/rendered.tsx";
import { rolloutName } from "../text/rollout-name.ts";
import { visible } from "../text/visible.ts";
import { Fold } from "./parts.tsx";
import "./rollout-context.css";

/** What was said about the rollout: the explanation is what people look for, so it is not folded. */
export function Scores({ scores }: { readonly scores: readonly Score[] }) {
  if (scores.length === 0) return null;
  return (
    <ul class="scored" aria-label="Scores">
      {scores.map((score) => (
        <li key={`${score.name} ${score.author} ${score.repetition}`}>
          <strong>
            {visible(score.name)} {saidIn(score)}
          </strong>{" "}
          <span class="quiet">
            by {visible(score.author)}
            {score.repetition > 1 && `, time ${score.repetition}`}
          </span>{" "}
          {score.judged_in !== null && (
            <a href={hrefOf("sessions", score.judged_in)}>the judge's answer</a>
          )}
          {score.comment !== null && <LongText class="said comment" text={score.comment} />}
        </li>
      ))}
    </ul>
  );
}

const saidIn = ({ value, label }: Score): string =>
  [value === null ? [] : reward(value), label === null ? [] : visible(label)].flat().join(" ");

/** What the simulation was asked to do, folded: it may be long. */
export const TaskParameters = ({ env_params }: { readonly env_params: string }) => (
  <Fold label="task" preview={env_params}>
    <LongText class="said code" text={readable(env_params)} />
  </Fold>
);

interface SiblingsProps {
  readonly session_id: string;
  readonly neighbours: Neighbours;
}

/** The other rollouts of the group by their rewards, and those before and after in the job. */
export function Siblings({ session_id, neighbours }: SiblingsProps) {
  const { previous, next, group } = neighbours;
  const others = group.filter((one) => one.session_id !== session_id);
  const shown = [session_id, ...others.map((one) => one.session_id)].slice(0, maxRollouts);
  return (
    <nav class="siblings" aria-label="Other rollouts">
      {previous !== null && <Beside to={previous} said="← previous (h)" />}
      {next !== null && <Beside to={next} said="next (l) →" />}
      {others.length > 0 && (
        <>
          <span class="quiet">same task:</span>
          {others.map((one) => (
            <a
              key={one.session_id}
              href={hrefOf("sessions", one.session_id)}
              aria-label={`${rolloutName(one)}, ${endOf(one)}`}
            >
              {endOf(one)}
            </a>
          ))}
          <a href={compareHref(shown)}>side by side</a>
        </>
      )}
    </nav>
  );
}

const endOf = (one: Neighbour): string => (one.reward === null ? one.status : reward(one.reward));

const Beside = ({ to, said }: { readonly to: Neighbour; readonly said: string }) => (
  <a href={hrefOf("sessions", to.session_id)} title={rolloutName(to)}>
    {said}
  </a>
);
