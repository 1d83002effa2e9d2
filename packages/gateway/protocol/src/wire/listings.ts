import type { SessionState } from "./session-status.ts";

/** Answer of `GET /v1/models` and `GET {session}/models`: an OpenAI model list of the route keys. */
export interface ModelListBody {
  readonly object: "list";
  readonly data: readonly ModelBody[];
}

export interface ModelBody {
  /** The route key. */
  readonly id: string;
  readonly object: "model";
  /** Seconds since the epoch. */
  readonly created: number;
  readonly owned_by: string;
}

/** Likewise for a request with `anthropic-version`: Anthropic's form of the list, in one page. */
export interface AnthropicModelListBody {
  readonly data: readonly AnthropicModelBody[];
  readonly first_id: string | null;
  readonly last_id: string | null;
  readonly has_more: false;
}

export interface AnthropicModelBody {
  readonly type: "model";
  /** The route key; `display_name` is too. */
  readonly id: string;
  readonly display_name: string;
  /** ISO 8601. */
  readonly created_at: string;
}

/** Answer of `GET {base_session_path}`: a page of the sessions in memory. */
export interface SessionListBody {
  readonly sessions: readonly SessionListItem[];
  /** `after` for the next page; null at the end. */
  readonly next_after: string | null;
}

export interface SessionListItem {
  readonly session_id: string;
  readonly status: SessionState;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly in_flight: number;
}
