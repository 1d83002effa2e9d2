/** What a row says about tools. */
export interface ToolStep {
  /** When its request came, and when its answer was whole, in milliseconds since 1970; null: the row does not say. */
  readonly asked_ms: number | null;
  readonly answered_ms: number | null;
  readonly calls: readonly ToolCall[];
  /** Of the messages that the row stores, which may include earlier ones. */
  readonly results: readonly ToolResult[];
}

export interface ToolCall {
  /** The name if the API numbers no calls. */
  readonly call_id: string;
  readonly name: string;
}

export interface ToolResult {
  readonly call_id: string;
  /** As the agent told its model; null: the API has no way to say it. */
  readonly is_error: boolean | null;
}

export interface ToolStepQuery {
  readonly session_ids: readonly string[];
  /** Only rows with a larger `id`. @default 0 */
  readonly after?: number | undefined;
}

export interface ToolStepPage {
  readonly steps: readonly SessionToolStep[];
  /** `after` for the next page; null at the end. */
  readonly next_after: number | null;
}

export interface SessionToolStep extends ToolStep {
  readonly session_id: string;
}
