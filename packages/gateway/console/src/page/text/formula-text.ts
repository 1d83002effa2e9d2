/** A formula as LaTeX, and where it ends. */
export interface Formula {
  readonly latex: string;
  /** As it was written, with its delimiters. */
  readonly raw: string;
  /** It has lines of its own. */
  readonly isDisplay: boolean;
}

/** Longer ones are shown as they were written. */
const maxLatex = 2_000;

const delimiters = [
  { open: "$$", close: "$$", isDisplay: true },
  { open: "\\[", close: "\\]", isDisplay: true },
  { open: "\\(", close: "\\)", isDisplay: false },
] as const;

/**
 * Between dollars, as Pandoc reads them: no space inside them, no letter or digit behind them. So prices and variables of
 * a shell are none.
 */
const betweenDollars = /^\$([^\s$](?:[^$\n]{0,998}[^\s$])?)\$(?![\p{L}\p{N}])/u;
const boxed = "\\boxed{";

/** Whether a text may have formulas. */
export const hasFormulas = (text: string): boolean =>
  /\$\$|\\[([]|\\boxed\{|\$[^\s$][^$\n]*\$/.test(text);

/** Where the next formula may begin; -1: nowhere. */
export const startOfFormula = (text: string): number => text.search(/\$|\\[([]|\\boxed\{/);

/** The formula at the start of a text; null: there is none. */
export function formulaAt(text: string): Formula | null {
  for (const { open, close, isDisplay } of delimiters) {
    if (!text.startsWith(open)) continue;
    const end = text.slice(0, maxLatex).indexOf(close, open.length);
    const latex = text.slice(open.length, end);
    if (end < 0 || latex.trim() === "") return null;
    return { latex, raw: text.slice(0, end + close.length), isDisplay };
  }
  const [raw, latex] = betweenDollars.exec(text) ?? [];
  if (raw !== undefined && latex !== undefined) return { latex, raw, isDisplay: false };
  if (!text.startsWith(boxed)) return null;
  const end = endOfBraces(text.slice(0, maxLatex), boxed.length);
  return end < 0 ? null : { latex: text.slice(0, end), raw: text.slice(0, end), isDisplay: false };
}

/** Behind the brace that closes one that is open; -1: none does. */
function endOfBraces(text: string, from: number): number {
  let open = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === "{") open += 1;
    else if (text[at] === "}") open -= 1;
    if (open === 0) return at + 1;
  }
  return -1;
}
