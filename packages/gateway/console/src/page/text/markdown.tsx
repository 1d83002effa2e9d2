import { Marked, type MarkedToken, type Token, type TokenizerExtension, type Tokens } from "marked";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { lazyView } from "../shell/lazy-view.tsx";
import { reachable } from "../shell/reachable.ts";
import { DiffText } from "./diff-text.tsx";
import { type Formula as FormulaText, formulaAt, startOfFormula } from "./formula-text.ts";
import { visible } from "./visible.ts";

/** What is nested deeper is shown as it was written. */
const maxDepth = 20;

/** More formulas of a text are shown as they were written. */
const maxFormulas = 200;

type FormulaToken = FormulaText & { readonly type: "formula" };

const Formula = lazyView(
  async () => (await import("./formula.tsx")).Formula,
  ({ raw }: FormulaText) => <>{raw}</>,
);

/** Before anything else is read: `_` and `\\[` mean something else in Markdown. */
function formulaReaders(): readonly TokenizerExtension[] {
  let left = maxFormulas;
  const read = (text: string): FormulaToken | undefined => {
    const found = left > 0 ? formulaAt(text) : null;
    if (found === null) return undefined;
    left -= 1;
    return { type: "formula", ...found };
  };
  return [
    {
      ...{ name: "formula", level: "inline", tokenizer: read },
      start: (text) => known(startOfFormula(text)),
    },
    {
      ...{ name: "formulaBlock", level: "block" },
      start: (text) => known(text.search(/^ {0,3}(?:\$\$|\\\[)/m)),
      tokenizer(text) {
        const [indent = ""] = /^ {0,3}/.exec(text) ?? [];
        const found = /^(?:\$\$|\\\[)/.test(text.slice(indent.length))
          ? read(text.slice(indent.length))
          : undefined;
        const rest = text.slice(indent.length + (found?.raw.length ?? 0));
        const [end] = /^[ \t]*(?:\n+|$)/.exec(rest) ?? [];
        if (found === undefined || end === undefined) return undefined;
        return { ...found, raw: indent + found.raw + end };
      },
    },
  ];
}

const known = (index: number): number | undefined => (index < 0 ? undefined : index);

/** Null: it cannot be read as Markdown. @param text without hidden characters */
function tokensOf(text: string): readonly Token[] | null {
  try {
    return new Marked({ gfm: true, extensions: [...formulaReaders()] }).lexer(text);
  } catch {
    return null;
  }
}

/**
 * Text that was written in Markdown. It becomes elements of the page one by one, and never HTML: tags in it are text,
 * links are named without being links, and images are not loaded.
 */
export function Markdown({ text }: { readonly text: string }) {
  return useMemo(() => {
    const tokens = tokensOf(visible(text));
    if (tokens === null) return <div class="said">{visible(text)}</div>;
    return (
      <div class="said markdown" dir="auto">
        {all(tokens, 0)}
      </div>
    );
  }, [text]);
}

const all = (tokens: readonly Token[] | undefined, depth: number): ComponentChildren =>
  tokens?.map((token, index) => (
    <Shown key={index} token={token as ShownProps["token"]} depth={depth + 1} />
  ));

interface ShownProps {
  readonly token: MarkedToken | FormulaToken;
  readonly depth: number;
}

function Shown({ token, depth }: ShownProps) {
  if (depth > maxDepth) return <>{token.raw}</>;
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "heading":
      // The page has headings of its own.
      return <p class={`heading level-${token.depth}`}>{all(token.tokens, depth)}</p>;
    case "paragraph":
      return <p>{all(token.tokens, depth)}</p>;
    case "blockquote":
      return <blockquote>{all(token.tokens, depth)}</blockquote>;
    case "list":
      return <Listed list={token} depth={depth} />;
    case "code":
      return <Code code={token} />;
    case "table":
      return <Table table={token} depth={depth} />;
    case "hr":
      return <hr />;
    case "br":
      return <br />;
    case "strong":
      return <strong>{all(token.tokens, depth)}</strong>;
    case "em":
      return <em>{all(token.tokens, depth)}</em>;
    case "del":
      return <del>{all(token.tokens, depth)}</del>;
    case "codespan":
      return <code>{token.text}</code>;
    case "link":
      return (
        <>
          {all(token.tokens, depth)}
          {token.text !== token.href && <code> {token.href}</code>}
        </>
      );
    case "image":
      return (
        <span class="elsewhere">
          Image not loaded: {token.text} <code>{token.href}</code>
        </span>
      );
    case "checkbox":
      return <>{token.checked ? "☑ " : "☐ "}</>;
    case "text":
      return <>{"tokens" in token && token.tokens ? all(token.tokens, depth) : token.text}</>;
    case "formula":
      return <Formula {...token} />;
    case "escape":
      return <>{token.text}</>;
    default:
      return <>{token.raw}</>;
  }
}

const Code = ({ code: { lang, text } }: { readonly code: Tokens.Code }) =>
  lang === "diff" || lang === "patch" ? (
    <DiffText text={text} />
  ) : (
    <div class="said code">{text}</div>
  );

function Listed({ list, depth }: { readonly list: Tokens.List; readonly depth: number }) {
  const items = list.items.map((item, index) => <li key={index}>{all(item.tokens, depth)}</li>);
  return list.ordered ? <ol start={Number(list.start)}>{items}</ol> : <ul>{items}</ul>;
}

const Table = ({ table, depth }: { readonly table: Tokens.Table; readonly depth: number }) => (
  <div class="wide" {...reachable}>
    <table>
      <thead>
        <tr>
          {table.header.map((cell, index) => (
            <th key={index}>{all(cell.tokens, depth)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map((cells, row) => (
          <tr key={row}>
            {cells.map((cell, index) => (
              <td key={index}>{all(cell.tokens, depth)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
