import type { Utterance, UtterancePart } from "@proj/model-apis/conversation";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { bytes, plural } from "../text/format.ts";
import { LongText } from "../text/long-text.tsx";
import { Prose, ResultText, readable } from "../text/rendered.tsx";
import { visible } from "../text/visible.ts";
import { imageOf } from "./media.ts";
import "./message.css";

/** Whether everything folded is open. */
export const OpenContext = createContext(false);

/** The tools' names by the ids of their calls: a result names only the id. */
export type ToolNames = ReadonlyMap<string, string>;

interface MessageProps {
  readonly message: Utterance;
  readonly tools: ToolNames;
  /** The model said it in an earlier step, and the request repeats it: folded. */
  readonly isRepeated?: boolean;
}

/** What the style sheet knows; a role is data, and could name any other class of the page. */
const styledRoles: ReadonlySet<string> = new Set([
  ...["system", "developer", "user", "assistant", "tool"],
]);

export function Message({ message: { role, parts }, tools, isRepeated = false }: MessageProps) {
  const isOpen = useContext(OpenContext);
  const name = styledRoles.has(role) ? `message ${role}` : "message";
  const content = parts.map((part, index) => <Part key={index} part={part} tools={tools} />);
  if (isRepeated || role === "system" || role === "developer")
    return (
      <details class={name} open={isOpen}>
        <summary>
          <span class="role">{visible(role)}</span>{" "}
          <span class="preview">
            {isRepeated ? "its previous answer (repeated)" : preview(parts)}
          </span>
        </summary>
        {content}
      </details>
    );
  return (
    <div class={name}>
      {role !== "tool" && <span class="role">{visible(role)}</span>}
      {content}
    </div>
  );
}

function Part({ part, tools }: { readonly part: UtterancePart; readonly tools: ToolNames }) {
  switch (part.kind) {
    case "text":
      return <Prose text={part.text} />;
    case "refusal":
      return (
        <div class="refusal">
          <span class="role">refusal</span>
          <LongText text={part.text} />
        </div>
      );
    case "reasoning":
      return (
        <Fold label="thinking" preview={part.text}>
          <LongText text={part.text} class="said thinking" />
        </Fold>
      );
    case "tool_call":
      return (
        <Fold label={`calls ${part.name}`} preview={part.arguments}>
          <LongText text={readable(part.arguments)} class="said code" />
        </Fold>
      );
    case "tool_result":
      return (
        <Fold label={resultLabel(part, tools)} preview={part.text}>
          <ResultText text={part.text} />
        </Fold>
      );
    case "image":
    case "other":
      return <OtherPart type={part.type} json={part.json} />;
  }
}

function OtherPart({ type, json }: { readonly type: string; readonly json: string }) {
  const summary = type === "compaction" ? summaryOf(json) : null;
  if (summary !== null)
    return (
      <Fold label="compaction, in place of all before it" preview={summary}>
        <LongText text={summary} />
      </Fold>
    );
  const image = imageOf(json);
  if (image?.data) return <img class="image" src={image.data} alt="in the message" />;
  if (image !== null)
    return <p class="elsewhere">Image not loaded: {visible(image.description)}</p>;
  return (
    <Fold label={type} preview={json}>
      <LongText text={readable(json)} class="said code" />
    </Fold>
  );
}

/** The text with which an API goes on after a compaction; OpenAI's is encrypted. */
function summaryOf(json: string): string | null {
  const { content, encrypted_content } = JSON.parse(json);
  if (typeof content === "string") return content;
  return typeof encrypted_content === "string"
    ? `encrypted, ${bytes(encrypted_content.length)}`
    : null;
}

interface FoldProps {
  readonly label: string;
  readonly preview: string;
  readonly children: preact.ComponentChildren;
}

/** Something long behind one line of it. */
export function Fold({ label, preview, children }: FoldProps) {
  return (
    <details open={useContext(OpenContext)}>
      <summary>
        <span class="role">{visible(label)}</span> <span class="preview">{cut(preview)}</span>
      </summary>
      {children}
    </details>
  );
}

/** Which tool returned it, whether it failed, and how many lines it has. */
function resultLabel(part: ResultPart, tools: ToolNames): string {
  const lines = part.text.trimEnd().split("\n", maxCountedLines).length;
  const name = tools.get(part.call_id ?? "") ?? "tool";
  const length =
    lines === 1 ? "" : ` ${lines === maxCountedLines ? "≥ " : ""}${plural(lines, "line")}`;
  return `${name} ${part.is_error ? "fails" : "returns"}${length}`;
}

type ResultPart = Extract<UtterancePart, { readonly kind: "tool_result" }>;

const maxCountedLines = 10_000;

const preview = (parts: readonly UtterancePart[]): string =>
  cut(parts.map((part) => ("text" in part ? part.text : part.kind)).join(" "));

const cut = (text: string): string => visible(text.slice(0, 160).replace(/\s+/g, " "));
