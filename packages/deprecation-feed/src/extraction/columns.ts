import { compareText } from "../compare-text.ts";

/** What a table's column holds, as far as notices are concerned. */
export type Meaning =
  | "model"
  | "replacement"
  | "shutdown"
  | "deprecation"
  | "announcement"
  | "status"
  | "regions"
  | "version"
  | "other";

export interface Column {
  readonly heading: string;
  readonly meaning: Meaning;
  /** From the left, counted from 0. */
  readonly index: number;
}

/** What a heading about a date speaks of, even where it speaks of a model too. */
const dateWord =
  /\b(?:dates?|on|when|day|until|since|retirement|shut-?\s?down|deprecation|removal|sunset|eol|end[\s-]of[\s-]\w+)\b/;

/** The first that fits counts: a "recommended replacement model" is no model that ends. */
const meanings: readonly (readonly [Meaning, RegExp])[] = [
  [
    "other",
    /\b(?:pric\w+|costs?|providers?|publishers?|vendors?|types?|cards?|sizes?|categor\w+|releas\w+|launch\w*)\b/,
  ],
  [
    "replacement",
    /replac|substitut|alternativ|upgrade|successor|migrat|redirect|instead|(?:recommend|suggest)\w*\b(?! (?:for|use)\b)/,
  ],
  ["status", /\b(?:status|state|stage)\b|\blifecycle$/],
  ["model", /\b(?:models?|snapshots?)\b|^(?:api )?(?:ids?|identifiers?|slugs?|names?)$/],
  ["announcement", /announc|notif/],
  [
    "shutdown",
    /shut-?\s?down|\bretir|end[\s-]of[\s-](?:life|support|service)|\beol\b|\bend(?: date|s(?: on)?)?$|sunset|remov|withdr|discontinu|decommission|turn\w*[\s-]?(?:off|down)|switch\w* off|expir|(?:last|final) day|(?:available|supported) until|unavailable/,
  ],
  ["deprecation", /deprecat|legacy/],
  ["regions", /\b(?:regions?|locations?)\b/],
  ["version", /\bversions?\b/],
];
/** A table with such a column tells when something else than a model ends. */
const otherSubject =
  /^(?:\S+ )?(?:parameter|feature|capability|endpoint|method|tool)(?: name)?$|^training (?:price|date|retirement)/;
const tellsOfEnds = new Set<Meaning>(["shutdown", "deprecation", "status"]);

export interface TableContext {
  /** Whether what stands around the table, or above its models, is about models that end. */
  readonly speaksOfEnd: boolean;
  /** Headings of columns with ids, besides those that speak of models. */
  readonly idColumn?: RegExp | undefined;
}

/**
 * The columns of a table that tells of models' ends, those with ids before those with names. None
 * for every other table. That a table recommends models is not enough.
 */
export function columnsOf(
  headings: readonly string[],
  { speaksOfEnd, idColumn }: TableContext,
): readonly Column[] {
  const columns = headings.map((heading, index) => {
    const meaning = idColumn?.test(heading) ? "model" : meaningOf(heading);
    return { heading, meaning, index };
  });
  const isOther = headings.some((heading) => otherSubject.test(heading.toLowerCase()));
  const found = new Set(columns.map(({ meaning }) => meaning));
  const tells =
    [...tellsOfEnds].some((meaning) => found.has(meaning)) ||
    (speaksOfEnd && found.has("replacement"));
  if (isOther || !found.has("model") || !tells) return [];
  return columns.sort(
    (a, b) => rank(a.heading) - rank(b.heading) || compareText(a.heading, b.heading),
  );
}

export function meaningOf(heading: string): Meaning {
  const text = heading.toLowerCase().replace(/[*_†‡]/g, "");
  const found = meanings.filter(([, words]) => words.test(text)).map(([meaning]) => meaning);
  return found.find((meaning) => meaning !== "model" || !dateWord.test(text)) ?? "other";
}

function rank(heading: string): number {
  if (/\bids?\b|identifier|snapshot|slug|\bapi\b/i.test(heading)) return 0;
  return /\bname\b|family|version/i.test(heading) ? 2 : 1;
}
