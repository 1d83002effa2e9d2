import { compareText } from "../notice/compare-text.ts";

/** What a table's column contains, as far as notices need it. */
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
  /** Counted from 0, from the left. */
  readonly index: number;
}

/** Words of a heading about a date, even if it also mentions a model. */
const dateWord =
  /\b(?:dates?|on|when|day|until|since|retirement|shut-?\s?down|deprecation|removal|sunset|eol|end[\s-]of[\s-]\w+)\b/;

/** The first match counts: a "recommended replacement model" is not a model that ends. */
const meanings: readonly (readonly [Meaning, RegExp])[] = [
  // The end of something other than the model: its free tier, its fine-tuning, a version of the API.
  [
    "other",
    /\b(?:free|tiers?|plans?|trials?|discounts?|promo\w*|credits?|fine-?tun\w*|train\w*|limits?|quotas?|rates?|api versions?|sdks?|extended access)\b/,
  ],
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
/** A table with such a column is about the end of something other than a model. */
const otherSubject =
  /^(?:\S+ )?(?:parameter|feature|capability|endpoint|method|tool)(?: name)?$|^training (?:price|date|retirement)|^(?:api versions?|sdks?|librar(?:y|ies)|packages?|plans?)$/;
/** What the words above a table say it lists, if not models. */
const otherThings =
  /\b(?:free[\s-](?:tiers?|plans?|trials?|credits?|access)|discounts?|promotion\w*|(?:api|sdk) versions?|versions of (?:the|our) api|sdks?|rate limits?|quotas?|limits? (?:is|are|will)|temporary limits?)\b/i;
const tellsOfEnds = new Set<Meaning>(["shutdown", "deprecation", "status"]);

export interface TableContext {
  /** Whether the text around the table, or above its models, is about models that end. */
  readonly speaksOfEnd: boolean;
  /** Whether the words above the table say when its models end. */
  readonly tells: boolean;
  /** The heading and the paragraph above the table. */
  readonly above: readonly string[];
  /** Headings of columns with ids, in addition to those that mention models. */
  readonly idColumn?: RegExp | undefined;
}

/**
 * The columns of a table about ending models; columns with ids come before those with names. Empty for any other table:
 * recommending models is not enough.
 */
export function columnsOf(
  headings: readonly string[],
  { speaksOfEnd, tells: isTold, above, idColumn }: TableContext,
): readonly Column[] {
  const columns = headings.map((heading, index) => {
    const meaning = idColumn?.test(heading) ? "model" : meaningOf(heading);
    return { heading, meaning, index };
  });
  const isOther =
    headings.some((heading) => otherSubject.test(heading.toLowerCase())) ||
    above.some((text) => otherThings.test(text));
  const found = new Set(columns.map(({ meaning }) => meaning));
  const tells =
    isTold ||
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
