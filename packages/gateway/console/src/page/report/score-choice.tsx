import type { Score } from "@proj/session-store";
import { hrefWith, replacePlace } from "../shell/location.ts";
import { Choice } from "../table/choice.tsx";
import { visible } from "../text/visible.ts";
import type { Reported } from "./use-report.ts";

interface ScoreChoiceProps extends Reported {
  readonly scores: readonly Score[];
}

/** Which of the named scores the numbers are of. */
export function ScoreChoice({ scores, score, by }: ScoreChoiceProps) {
  const chosen = JSON.stringify([score, by]);
  const numbers = scores.filter(({ value }) => value !== null);
  const all = new Set([
    JSON.stringify(["reward", null]),
    chosen,
    ...numbers.map(({ name }) => JSON.stringify([name, null])),
    ...numbers.map(({ name, author }) => JSON.stringify([name, author])),
  ]);
  if (all.size === 1) return null;
  return (
    <Choice
      name="Score"
      value={chosen}
      options={[...all].map((each) => {
        const [name, author] = JSON.parse(each);
        return [each, visible(author === null ? name : `${name} by ${author}`)];
      })}
      onChoice={(value) => {
        const [name, author] = JSON.parse(value);
        replacePlace(hrefWith({ score: name, by: author ?? "" }));
      }}
    />
  );
}
