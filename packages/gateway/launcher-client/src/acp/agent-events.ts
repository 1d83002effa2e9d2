import type {
  AgentEvent,
  PermissionEvent,
  PlanEntry,
  SecretMask,
  ToolCallEvent,
} from "@proj/gateway-protocol";
import { isJsonObject } from "@proj/model-apis/json";
import type { ToldCall } from "./session-update.ts";

const maxText = 4_096;
const maxEvents = 1_000;
/** Characters of all events together. */
const maxSize = 1024 * 1024;

/** What an agent tells beside its model calls, in order and within bounds. */
export class AgentEvents {
  readonly list: AgentEvent[] = [];
  /** Events for which there was no room. */
  leftOut = 0;
  #size = 0;
  readonly #places = new Map<string, number>();
  readonly #mask: SecretMask;

  constructor(mask: SecretMask) {
    this.#mask = mask;
  }

  turn(text: string): void {
    this.#add({ kind: "turn", at: now(), text: this.#cut(text) });
  }

  plan(entries: readonly PlanEntry[]): void {
    const kept = entries.slice(0, 100).map(({ content, status }) => ({
      content: this.#cut(content),
      status: this.#cut(status),
    }));
    this.#add({ kind: "plan", at: now(), entries: kept });
  }

  permission(id: string, title: string, by: Pick<PermissionEvent, "decision" | "by">): void {
    this.#add({ kind: "permission", at: now(), id: this.#cut(id), title: this.#cut(title), ...by });
  }

  /**
   * Begins a tool call, or adds what is new of one.
   * @param begins it is told of as a new one: models use the id of a call that has ended again
   */
  tool(told: ToldCall, begins: boolean): void {
    const id = this.#cut(told.toolCallId);
    const place = this.#places.get(id);
    const known = place === undefined ? undefined : this.list[place];
    const isAgain = known?.kind === "tool_call" && !(begins && known.ended_at !== null);
    const before = isAgain ? known : null;
    const status = this.#cut(told.status ?? before?.status ?? "pending");
    const isOver = status === "completed" || status === "failed";
    const event: ToolCallEvent = {
      kind: "tool_call",
      at: before?.at ?? now(),
      ended_at: before?.ended_at ?? (isOver ? now() : null),
      id,
      title: this.#cut(told.title ?? before?.title ?? told.name ?? ""),
      tool: told.kind == null ? (before?.tool ?? null) : this.#cut(told.kind),
      status,
      input: this.#json(told.rawInput) ?? before?.input ?? null,
      output: this.#outputOf(told) ?? before?.output ?? null,
      paths: told.locations?.slice(0, 20).map(({ path }) => this.#cut(path)) ?? before?.paths ?? [],
    };
    if (before === null || place === undefined) this.#add(event);
    else if (this.#hasRoom(event, before)) this.list[place] = event;
  }

  #add(event: AgentEvent): void {
    if (this.list.length >= maxEvents || !this.#hasRoom(event, null)) {
      this.leftOut += 1;
      return;
    }
    if (event.kind === "tool_call") this.#places.set(event.id, this.list.length);
    this.list.push(event);
  }

  #hasRoom(event: AgentEvent, before: AgentEvent | null): boolean {
    const more = sizeOf(event) - (before === null ? 0 : sizeOf(before));
    if (this.#size + more > maxSize) return false;
    this.#size += more;
    return true;
  }

  #outputOf({ content, rawOutput }: ToldCall): string | null {
    const texts = (content ?? []).flatMap(({ content: said, path, newText }) => {
      if (typeof newText === "string") return [`${path ?? ""}:\n${newText}`];
      return typeof said?.text === "string" ? [said.text] : [];
    });
    return texts.length > 0 ? this.#cut(texts.join("\n")) : this.#json(rawOutput);
  }

  #json(value: unknown): string | null {
    if (value === undefined || value === null) return null;
    if (isJsonObject(value) && Object.keys(value).length === 0) return null;
    return this.#cut(typeof value === "string" ? value : JSON.stringify(value));
  }

  /** Masks before it cuts, so that no part of a secret is left. */
  #cut(text: string): string {
    const masked = this.#mask.apply(text.slice(0, 2 * maxText + this.#mask.longest));
    return masked.length <= maxText ? masked : `${masked.slice(0, maxText)} …`;
  }
}

const now = (): string => new Date().toISOString();

const sizeOf = (event: AgentEvent): number => JSON.stringify(event).length;
