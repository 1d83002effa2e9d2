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

/** Words for an end that nothing but a model's end is called. */
const surelyEnds =
  /shut-?\s?(?:down|off)|\bretir\w*|end[\s-]of[\s-](?:life|support|service|availability)|\beol\b|sunset\w*|discontinu\w*|decommission\w*|turn\w*[\s-]?(?:off|down)|switch\w* off|\boffline\b/g;
/** Words for the end of anything: they count only where the text around the table is about models that end. */
const mayEnd =
  /\bends?\b|remov(?:al|ed|es)|withdr\w+|expir\w+|(?:last|final) day|(?:available|supported) until|\bunavailable\b/g;
const deprecates = /deprecat\w*|\blegacy\b/g;
/** What else the heading of a column of ends may say. Any other word makes it the end of something else. */
const fillers =
  /\b(?:dates?|days?|times?|on|from|at|since|until|the|of|for|api|models?|snapshots?|utc|gmt|tentative|planned|scheduled|expected|estimated|effective|earliest|latest|final|is|are|will|be|being|to|in|as|access|available|supported|support|(?:no|not) (?:sooner|earlier|before)|than|or later)\b|[^\p{L}]/gu;

type Meanings = readonly (readonly [Meaning, RegExp])[];
/** The first match counts: a "recommended replacement model" is not a model that ends. */
const meanings: Meanings = [
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
];
const modelWord = /\b(?:models?|snapshots?)\b/i;
/** If a heading says nothing about an end. */
const otherMeanings: Meanings = [
  ["regions", /\b(?:regions?|locations?)\b/],
  ["version", /\bversions?\b/],
];
/** Columns with dates that are known to say nothing about a model's end. */
const otherDates =
  /\b(?:releas|launch|introduc|creat|add|updat|modif|publish|review|verif|train|fine-?tun|pric|cost|discount|promo|credit|free|trial)\w*|\b(?:start|since|cut-?off|notes?|comments?|description|details|remarks|context|extended access)\b/i;
/** A table with such a column is about the end of something other than a model. */
const otherSubject =
  /^(?:\S+ )?(?:parameter|feature|capability|endpoint|method|tool)(?: name)?$|^training price|^(?:api versions?|sdks?|librar(?:y|ies)|packages?|plans?)$/;
const tellsOfEnds = new Set<Meaning>(["shutdown", "deprecation", "status"]);

export interface TableContext {
  /** Whether the text around the table, or above its models, is about models that end. */
  readonly speaksOfEnd: boolean;
  /** Whether the words above the table say when its models end. */
  readonly tells: boolean;
  /** Headings of columns with ids, in addition to those that mention models. */
  readonly idColumn?: RegExp | undefined;
}

/**
 * The columns of a table about ending models; columns with ids come before those with names. Empty for any other table:
 * recommending models is not enough.
 */
export function columnsOf(
  headings: readonly string[],
  { speaksOfEnd, tells: isTold, idColumn }: TableContext,
): readonly Column[] {
  const columns = headings.map((heading, index) => {
    const meaning = idColumn?.test(heading) ? "model" : meaningOf(heading);
    const isDoubtful = meaning === "shutdown" && !speaksOfEnd && !saysSurely(heading);
    return { heading, meaning: isDoubtful ? ("other" as const) : meaning, index };
  });
  const found = new Set(columns.map(({ meaning }) => meaning));
  const tells =
    isTold ||
    [...tellsOfEnds].some((meaning) => found.has(meaning)) ||
    (speaksOfEnd && found.has("replacement"));
  const namesModels = headings.some(
    (heading) => modelWord.test(heading) || idColumn?.test(heading),
  );
  if (isAboutOther(headings) || !(namesModels || speaksOfEnd) || !found.has("model") || !tells)
    return [];
  return columns.sort(
    (a, b) => rank(a.heading) - rank(b.heading) || compareText(a.heading, b.heading),
  );
}

/** Whether a table says itself that it does not list models. */
export const isAboutOther = (headings: readonly string[]): boolean =>
  headings.some((heading) => otherSubject.test(heading.toLowerCase()));

export function meaningOf(heading: string): Meaning {
  const text = plainHeading(heading);
  const of = (list: Meanings): Meaning | undefined =>
    list.find(
      ([meaning, words]) => words.test(text) && (meaning !== "model" || !dateWord.test(text)),
    )?.[0];
  return of(meanings) ?? endMeant(text) ?? of(otherMeanings) ?? "other";
}

const plainHeading = (heading: string): string =>
  heading.toLowerCase().replace(/[*_†‡]|\[\^?\w{1,3}\]/g, "");
const saysSurely = (heading: string): boolean => plainHeading(heading).search(surelyEnds) !== -1;

/** Whether the dates of a column are known to say nothing about a model's end. */
export const hasOtherDates = (heading: string): boolean => otherDates.test(heading);

/** Shutdown or deprecation, if a heading says nothing else. */
function endMeant(text: string): Meaning | undefined {
  const rest = text
    .replace(/\([^()]*\)/g, " ")
    .replace(surelyEnds, " ")
    .replace(mayEnd, " ")
    .replace(deprecates, " ")
    .replace(fillers, "");
  if (rest !== "") return undefined;
  if (text.search(surelyEnds) !== -1 || text.search(mayEnd) !== -1) return "shutdown";
  return text.search(deprecates) === -1 ? undefined : "deprecation";
}

function rank(heading: string): number {
  if (/\bids?\b|identifier|snapshot|slug|\bapi\b/i.test(heading)) return 0;
  return /\bname\b|family|version/i.test(heading) ? 2 : 1;
}
