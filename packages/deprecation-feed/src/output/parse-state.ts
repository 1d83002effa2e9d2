import type { Catalogue, Change, KnownNotice } from "../collection/catalogue.ts";
import type { FeedState } from "../collection/feed-state.ts";
import type { ProviderStatus } from "../collection/provider-status.ts";
import { stateVersion } from "../feeds/data-files.ts";
import type { Notice } from "../notice.ts";
import { MemberReader } from "./member-reader.ts";
import { StateError } from "./state-error.ts";

/**
 * Reads back `deprecations.json` and `status.json`.
 * @param source names the place in errors
 * @throws StateError
 */
export function parseState(deprecations: string, status: string, source: string): FeedState {
  const { catalogue } = parseDeprecations(deprecations, `${source}: v1/deprecations.json`);
  const read = documentOf(status, `${source}: v1/status.json`);
  return {
    program: read.text("program"),
    checked_at: read.time("checked_at"),
    catalogue,
    statuses: read.list("providers").map(readStatus),
  };
}

function parseDeprecations(text: string, source: string): { readonly catalogue: Catalogue } {
  const read = documentOf(text, source);
  const notices = read.list("notices").map(readKnownNotice);
  return { catalogue: { notices, changes: read.list("changes").map(readChange) } };
}

function documentOf(text: string, source: string): MemberReader {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw new StateError(`${source} is no JSON`);
  }
  const read = new MemberReader(document, source);
  const version = read.count("version");
  if (version === stateVersion) return read;
  throw new StateError(`${source} has version ${version}; this program reads ${stateVersion}`);
}

function readKnownNotice(read: MemberReader): KnownNotice {
  return {
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
    field: read.oneOf("field", [
      "announcement_date",
      "deprecation_date",
      "shutdown_date",
      "last_observed",
    ]),
    from: read.day("from"),
    to: read.day("to"),
    date_observed: read.time("date_observed"),
    url: read.text("url"),
  };
}

function readStatus(read: MemberReader): ProviderStatus {
  return {
    provider: read.text("provider"),
    slug: read.text("slug"),
    state: read.oneOf("state", ["fresh", "stale"]),
    reason: read.text("reason"),
    last_checked: read.time("last_checked"),
    last_good: read.text("last_good") === "" ? "" : read.time("last_good"),
    models: read.count("models"),
    etag: read.textOrNull("etag"),
    last_modified: read.textOrNull("last_modified"),
  };
}
