import { type Change, changedFields, type KnownNotice } from "../collection/catalogue.ts";
import type { FeedState } from "../collection/feed-state.ts";
import type { HeldRow } from "../collection/judge-rows.ts";
import { type ModelStatus, modelStatus, modelStatuses } from "../collection/model-status.ts";
import { pageConditions } from "../collection/page-condition.ts";
import type { ProviderStatus } from "../collection/provider-status.ts";
import { rowFields } from "../collection/row-changes.ts";
import type { UnreadLine } from "../extraction/unread.ts";
import { stateVersion } from "../feeds/data-files.ts";
import { type Notice, pageStates } from "../notice/notice.ts";
import { MemberReader } from "./member-reader.ts";
import { StateError } from "./state-error.ts";

/**
 * Parses `deprecations.json` and `status.json`.
 * @param source the location, for errors
 * @throws StateError
 */
export function parseState(
  deprecations: string,
  status: string,
  source: string,
): Omit<FeedState, "pages"> {
  const catalogue = parseDeprecations(deprecations, `${source}: v1/deprecations.json`);
  const read = documentOf(status, `${source}: v1/status.json`);
  const checked_at = read.time("checked_at");
  const today = checked_at.slice(0, 10);
  const notices = catalogue.notices.map((notice) => ({
    ...notice,
    status: notice.status ?? modelStatus(notice, today),
  }));
  return {
    program: read.text("program"),
    checked_at,
    catalogue: { ...catalogue, notices },
    statuses: read.list("providers").map(readStatus),
  };
}

function parseDeprecations(text: string, source: string) {
  const read = documentOf(text, source);
  const notices = read.list("notices").map(readKnownNotice);
  return { notices, changes: read.list("changes").map(readChange) };
}

function documentOf(text: string, source: string): MemberReader {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new StateError(`${source} is not JSON`);
  }
  const read = new MemberReader(document, source);
  const version = read.count("version");
  if (version === stateVersion) return read;
  throw new StateError(`${source} has version ${version}; this program reads ${stateVersion}`);
}

/** The status is missing in files from versions that did not have it. */
function readKnownNotice(
  read: MemberReader,
): Omit<KnownNotice, "status"> & { readonly status: ModelStatus | null } {
  return {
    status: read.has("status") ? read.oneOf("status", modelStatuses) : null,
    provider: read.text("provider"),
    slug: read.text("slug"),
    ...readNotice(read),
    rows: read.list("rows").map(readNotice),
    url: read.text("url"),
    date_published: read.time("date_published"),
    date_modified: read.time("date_modified"),
    last_observed: read.day("last_observed"),
  };
}

function readNotice(read: MemberReader): Notice {
  return {
    model_id: read.text("model_id"),
    aliases: read.texts("aliases"),
    announcement_date: read.day("announcement_date"),
    deprecation_date: read.day("deprecation_date"),
    shutdown_date: read.day("shutdown_date"),
    earliest_shutdown_date: read.has("earliest_shutdown_date")
      ? read.day("earliest_shutdown_date")
      : "",
    state: read.has("state") ? read.oneOf("state", pageStates) : "",
    shutdown_text: read.text("shutdown_text"),
    replacement_models: read.texts("replacement_models"),
    regions: read.texts("regions"),
    anchor: read.text("anchor"),
    source_text: read.text("source_text"),
  };
}

function readChange(read: MemberReader): Change {
  return {
    provider: read.text("provider"),
    slug: read.text("slug"),
    model_id: read.text("model_id"),
    field: read.oneOf("field", changedFields),
    from: read.text("from"),
    to: read.text("to"),
    date_observed: read.time("date_observed"),
    url: read.text("url"),
  };
}

function readStatus(read: MemberReader): ProviderStatus {
  return {
    provider: read.text("provider"),
    slug: read.text("slug"),
    state: read.oneOf("state", pageConditions),
    reason: read.text("reason"),
    failure: read.has("failure") ? read.oneOf("failure", ["", "fetch", "page", "change"]) : "",
    held_back: read.has("held_back") ? read.list("held_back").map(readHeldRow) : [],
    unread: read.has("unread") ? read.list("unread").map(readUnread) : [],
    accepted_unread: read.has("accepted_unread") ? read.texts("accepted_unread") : [],
    accepted_at: read.has("accepted_at") ? read.timeOrEmpty("accepted_at") : "",
    tail: read.has("tail") ? read.text("tail") : "",
    last_checked: read.time("last_checked"),
    last_good: read.timeOrEmpty("last_good"),
    models: read.count("models"),
    etag: read.textOrNull("etag"),
    last_modified: read.textOrNull("last_modified"),
  };
}

function readHeldRow(read: MemberReader): HeldRow {
  const words = (name: string): string => (read.has(name) ? read.text(name) : "");
  return {
    model_id: read.text("model_id"),
    field: read.oneOf("field", rowFields),
    from: read.text("from"),
    to: read.text("to"),
    reason: words("reason"),
    old_words: words("old_words"),
    new_words: words("new_words"),
  };
}

const readUnread = (read: MemberReader): UnreadLine => ({
  place: read.text("place"),
  words: read.text("words"),
});
