import type { ReviewBody } from "@proj/session-store/answers";
import { useEffect, useState } from "preact/hooks";
import { jobPath } from "../data/read-pages.ts";
import { SourceError } from "../data/source.ts";
import { useRefused, useSource } from "../data/use-answer.ts";
import { useHasGateway } from "../data/use-has-gateway.ts";
import { hrefOf } from "../shell/location.ts";
import { Notice } from "../text/notice.tsx";
import { visible } from "../text/visible.ts";
import { AgreementTable } from "./agreement-table.tsx";
import { ScoreForm } from "./score-form.tsx";
import "./review.css";

const nameKey = "reviewer";

/** A queue of rollouts that a person scores, one after the other, without seeing any other score. */
export function ReviewView({ job_id }: { readonly job_id: string }) {
  const source = useSource();
  const hasGateway = useHasGateway(source);
  const refused = useRefused();
  const path = `${jobPath(job_id)}/review`;
  const [person, setPerson] = useState(sessionStorage.getItem(nameKey));
  const [answer, setAnswer] = useState<ReviewBody | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const asking = (asked: Promise<ReviewBody>): Promise<void> =>
    asked.then(
      (body) => {
        setAnswer(body);
        setError(null);
        scrollTo(0, 0);
      },
      (problem: Error) => {
        setError(problem);
        refused(problem);
        // Another name can be given.
        if (problem instanceof SourceError && isRefused(problem.status) && answer === null)
          setPerson(null);
      },
    );
  useEffect(() => {
    if (person === null) return;
    void asking(source.ask<ReviewBody>(`${path}?person=${encodeURIComponent(person)}`));
  }, [person]);
  if (person === null)
    return (
      <NameForm
        error={error}
        onName={(name) => {
          sessionStorage.setItem(nameKey, name);
          setPerson(name);
        }}
      />
    );
  if (answer === null)
    return (
      <div class="page">
        {error === null ? <p class="empty">Loading the queue …</p> : <Notice error={error} />}
      </div>
    );
  const { rubric, rollout, done, left, scores } = answer;
  return (
    <div class="page review">
      <header class="head">
        <h2>Review of {visible(job_id)}</h2>
        <p class="links">
          <span>{visible(person)}</span>
          <span>{done} scored</span>
          <strong>{left} left</strong>
        </p>
      </header>
      {error !== null && <Notice error={error} />}
      {rollout === null ? (
        <>
          <p class="empty">
            Nothing is left for you. Thank you.{" "}
            {hasGateway && <a href={hrefOf("jobs", job_id)}>The job</a>}
          </p>
          {scores !== null && <AgreementTable scores={scores} />}
        </>
      ) : (
        <>
          <p class="instructions">{visible(rubric.instructions)}</p>
          <ol class="transcript" aria-label="Rollout">
            {rollout.transcript.map((message, index) => (
              <li key={index}>{visible(message)}</li>
            ))}
          </ol>
          <ScoreForm
            session_id={rollout.session_id}
            criteria={rubric.criteria}
            onScores={(scores) =>
              asking(
                source.send<ReviewBody>(path, {
                  ...{ person, session_id: rollout.session_id, scores },
                }),
              )
            }
          />
        </>
      )}
    </div>
  );
}

const isRefused = (status: number): boolean => status === 400 || status === 404;

interface NameFormProps {
  readonly error: Error | null;
  readonly onName: (name: string) => void;
}

function NameForm({ error, onName }: NameFormProps) {
  const [name, setName] = useState("");
  return (
    <form
      class="key"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== "") onName(name.trim());
      }}
    >
      <h2>Who are you?</h2>
      {error !== null && <Notice error={error} />}
      <p>Your scores are kept under this name.</p>
      <label>
        Name
        <input
          autocomplete="nickname"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </label>
      <button type="submit">Begin</button>
    </form>
  );
}
