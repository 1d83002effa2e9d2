import { renderToString } from "katex";
import { h, type VNode } from "preact";
import { useMemo } from "preact/hooks";
import { reachable } from "../shell/reachable.ts";
import type { Formula as Written } from "./formula-text.ts";

/** Macros of their own could grow without end, and nobody answers with them. */
const definition = /\\(?:[gex]?def|let|futurelet|global|long|(?:re|provide)?newcommand)/;
/** What is larger or nested deeper is shown as it was written. */
const maxElements = 3_000;
const maxDepth = 60;
/** A longer one has lines of its own, which scroll. */
const maxInline = 80;

/** The parts of MathML that KaTeX writes, except those that move text to another place, or link, or load. */
const elements = new Set(
  [
    "math",
    "mrow",
    "mi",
    "mn",
    "mo",
    "mtext",
    "ms",
    "mspace",
    "mstyle",
    "mphantom",
    "menclose",
  ].concat(
    ["mfrac", "msqrt", "mroot", "msup", "msub", "msubsup", "mover", "munder", "munderover"],
    ["mtable", "mtr", "mtd", "mlabeledtr"],
  ),
);
/** Without colours, which would have to fit two schemes. */
const attributes = new Set(
  [
    "display",
    "mathvariant",
    "stretchy",
    "fence",
    "separator",
    "symmetric",
    "largeop",
    "form",
  ].concat(
    ["movablelimits", "accent", "accentunder", "linethickness", "displaystyle", "scriptlevel"],
    ["minsize", "maxsize", "lspace", "rspace", "width", "notation", "columnalign"],
  ),
);

/** LaTeX as MathML, element by element, or as it was written if it cannot be read. */
export function Formula({ latex, raw, isDisplay }: Written) {
  const isBlock = isDisplay || latex.length > maxInline;
  const math = useMemo(() => mathOf(latex, isBlock), [latex, isBlock]);
  if (math === null) return <>{raw}</>;
  return isBlock ? (
    <div class="wide formula" {...reachable}>
      {math}
    </div>
  ) : (
    math
  );
}

function mathOf(latex: string, displayMode: boolean): VNode | null {
  if (definition.test(latex)) return null;
  try {
    const text = renderToString(latex, {
      ...{ displayMode, output: "mathml", strict: "ignore", trust: false },
      ...{ throwOnError: true, maxExpand: 100, maxSize: 10 },
    });
    // The page's policy forbids styles even in a document of its own, where nothing is run or loaded. Quotes of the
    // formula itself are escaped.
    const unstyled = text.replaceAll(' style="', ' data-style="');
    const root = new DOMParser().parseFromString(unstyled, "text/html").querySelector("math");
    if (root === null || root.querySelectorAll("*").length > maxElements) return null;
    return elementOf(root, 0);
  } catch {
    return null;
  }
}

/** @throws RangeError it is nested too deeply */
function elementOf(element: Element, depth: number): VNode | null {
  if (depth > maxDepth) throw new RangeError("The formula is nested too deeply.");
  const name = element.localName;
  // The source beside the formula; the page has it as raw text.
  if (name === "annotation") return null;
  const children = Array.from(element.childNodes, (child) =>
    child instanceof Element ? elementOf(child, depth + 1) : child.textContent,
  );
  if (!elements.has(name)) return h("mrow", null, children);
  const kept = Array.from(element.attributes, ({ name, value }) => [name, value] as const).filter(
    // A negative length would move it over other text.
    ([name, value]) => attributes.has(name) && !value.includes("-"),
  );
  return h(name, Object.fromEntries(kept), children);
}
