import { cohenKappa, krippendorffAlpha } from "./agreement.ts";
import { type Interval, mean } from "./means.ts";
import { pairedTest } from "./paired.ts";

/** What was said of one session, as agreement sees it. */
export interface SaidScore {
  readonly session_id: string;
  readonly name: string;
  readonly author: string;
  readonly value: number | null;
  readonly label: string | null;
}

/** How far two authors agree on one named score. */
export interface Agreement {
  readonly name: string;
  readonly authors: readonly [string, string];
  /** Sessions that both scored; an author that repeated itself counts with its mean, or with its first label. */
  readonly sessions: number;
  /** Null: it cannot be said. */
  readonly kappa: number | null;
  /** Krippendorff's, of numbers by the square of their distance, of labels by whether they are equal. */
  readonly alpha: number | null;
  /** How much more the second gives than the first, on average: its bias. Null: they give labels. */
  readonly bias: number | null;
  readonly bias_interval: Interval | null;
}

interface Said {
  readonly values: number[];
  readonly label: string | null;
}

/** The agreement of every two authors on every score that both gave, by name and authors. */
export function agreementsOf(scores: readonly SaidScore[]): readonly Agreement[] {
  const agreements: Agreement[] = [];
  for (const [name, named] of [...Map.groupBy(scores, (score) => score.name)].sort(byKey)) {
    const byAuthor = [...Map.groupBy(named, ({ author }) => author)].sort(byKey);
    for (const [index, [first, ofFirst]] of byAuthor.entries())
      for (const [second, ofSecond] of byAuthor.slice(index + 1)) {
        const both = pairsOf(sayings(ofFirst), sayings(ofSecond));
        if (both.length > 0) agreements.push({ name, authors: [first, second], ...agreed(both) });
      }
  }
  return agreements;
}

const byKey = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : Number(one > other);

function sayings(scores: readonly SaidScore[]): ReadonlyMap<string, Said> {
  const said = new Map<string, Said>();
  for (const { session_id, value, label } of scores) {
    const before = said.get(session_id) ?? { values: [], label };
    if (value !== null) before.values.push(value);
    said.set(session_id, before);
  }
  return said;
}

const pairsOf = (
  first: ReadonlyMap<string, Said>,
  second: ReadonlyMap<string, Said>,
): readonly (readonly [Said, Said])[] =>
  [...first].flatMap(([session_id, one]) => {
    const other = second.get(session_id);
    return other === undefined ? [] : [[one, other] as const];
  });

function agreed(pairs: readonly (readonly [Said, Said])[]) {
  const sessions = pairs.length;
  const numbers = pairs.flatMap(([one, other]): [number, number][] => {
    const [a, b] = [mean(one.values), mean(other.values)];
    return a === null || b === null ? [] : [[a, b]];
  });
  if (numbers.length === sessions) {
    const { difference, interval } = pairedTest(numbers.map(([one, other]) => other - one));
    const kappa = cohenKappa(numbers.map(([one, other]) => [String(one), String(other)]));
    const alpha = krippendorffAlpha(numbers, "interval");
    return { sessions, kappa, alpha, bias: difference, bias_interval: interval };
  }
  const words = pairs.map(([one, other]): [string, string] => [wordOf(one), wordOf(other)]);
  const known = [...new Set(words.flat())];
  const codes = words.map((pair) => pair.map((word) => known.indexOf(word)));
  const alpha = krippendorffAlpha(codes, "nominal");
  return { sessions, kappa: cohenKappa(words), alpha, bias: null, bias_interval: null };
}

const wordOf = ({ label, values }: Said): string => label ?? String(mean(values));

/**
 * A named score of each session: the mean over all numbers that were said, or over those of one author.
 * @param author such as `judge:strict`; null: all
 */
export function meanScores(
  scores: Iterable<SaidScore>,
  name: string,
  author: string | null,
): ReadonlyMap<string, number> {
  const found = new Map<string, { total: number; n: number }>();
  for (const score of scores) {
    const isAsked = score.name === name && (author === null || score.author === author);
    if (!isAsked || score.value === null) continue;
    const { total, n } = found.get(score.session_id) ?? { total: 0, n: 0 };
    found.set(score.session_id, { total: total + score.value, n: n + 1 });
  }
  return new Map([...found].map(([session_id, { total, n }]) => [session_id, total / n]));
}
