import type { Criterion } from "@proj/session-store";
import { useRef, useState } from "preact/hooks";
import { useKeys } from "../shell/keys.ts";
import { visible } from "../text/visible.ts";

interface Said {
  readonly session_id: string;
  readonly given: Readonly<Record<string, number | string>>;
  /** The criterion that the keys answer. */
  readonly current: number;
  readonly comment: string;
  readonly isSending: boolean;
}

const nothing = (session_id: string): Said => ({
  ...{ session_id, given: {}, current: 0, comment: "", isSending: false },
});

interface ScoreFormProps {
  /** Of the rollout: for another one the form is empty. */
  readonly session_id: string;
  readonly criteria: readonly Criterion[];
  readonly onScores: (scores: Readonly<Record<string, object>>) => Promise<void>;
}

/** The criteria one below the other: the keys 1 to 9 answer the current one, Enter sends. */
export function ScoreForm({ session_id, criteria, onScores }: ScoreFormProps) {
  // Keys may be pressed faster than the page is drawn, so what was given is not a state of the last drawing.
  const said = useRef<Said>(nothing(session_id));
  const [, draw] = useState<Said>(said.current);
  if (said.current.session_id !== session_id) said.current = nothing(session_id);
  const { given, current, comment, isSending } = said.current;
  const say = (change: Partial<Said>): void => {
    said.current = { ...said.current, ...change };
    draw(said.current);
  };
  const choose = (index: number, place: number): void => {
    const criterion = criteria[index];
    const value = criterion?.values[place];
    if (criterion === undefined || value === undefined) return;
    const now = { ...said.current.given, [criterion.name]: value };
    const open = criteria.findIndex(({ name }) => now[name] === undefined);
    say({ given: now, current: open < 0 ? index : open });
  };
  const isWhole = (): boolean =>
    criteria.every(({ name }) => said.current.given[name] !== undefined);
  const send = (): void => {
    if (!isWhole() || said.current.isSending) return;
    say({ isSending: true });
    const remark = said.current.comment.trim();
    const scores = criteria.map(({ name }) => {
      const score = { value: said.current.given[name] };
      return [name, remark === "" ? score : { ...score, comment: remark }] as const;
    });
    void onScores(Object.fromEntries(scores)).finally(() => {
      if (said.current.session_id === session_id) say({ isSending: false });
    });
  };
  const move = (by: number): void => {
    const next = said.current.current + by;
    say({ current: Math.min(Math.max(next, 0), criteria.length - 1) });
  };
  const digits = Array.from({ length: 9 }, (_, index) => index);
  useKeys({
    ...Object.fromEntries(
      digits.map((index) => [String(index + 1), () => choose(said.current.current, index)]),
    ),
    Enter: send,
    j: () => move(1),
    k: () => move(-1),
  });
  return (
    <form
      class="scores"
      aria-label="Scores"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {criteria.map(({ name, about, values }, index) => (
        <fieldset key={name} class={index === current ? "current" : ""}>
          <legend>
            {visible(name)}: {visible(about)}
          </legend>
          {values.map((value, place) => (
            <button
              key={value}
              type="button"
              class="value"
              aria-pressed={given[name] === value}
              onClick={() => choose(index, place)}
            >
              {place < 9 && <kbd>{place + 1}</kbd>} {visible(String(value))}
            </button>
          ))}
        </fieldset>
      ))}
      <label>
        Comment
        <textarea
          rows={2}
          maxLength={10_000}
          value={comment}
          onInput={({ currentTarget }) => say({ comment: currentTarget.value })}
        />
      </label>
      <button type="submit" disabled={!isWhole() || isSending}>
        Score and go on <kbd>Enter</kbd>
      </button>
    </form>
  );
}
