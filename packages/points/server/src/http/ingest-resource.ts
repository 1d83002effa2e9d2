import { badRequest, type Context, Problem, type Resource, resource } from "@proj/resource-router";
import { checkSignature } from "../ingest/check-signature.ts";
import { ImportError, type OnError } from "../ingest/import-report.ts";
import { maxEvents } from "../ingest/ingest-events.ts";
import { type Cursor, CursorConflictError } from "../ledger/cursor.ts";
import type { Operations } from "../operations/operations.ts";
import type { PointsStore } from "../points-store.ts";
import { isPlainAddress } from "../program/address.ts";
import { guarded } from "./guarded.ts";
import { single } from "./page-query.ts";

const maxCursorLength = 4_096;

/**
 * POST `/ingest`: an event, a list of up to 10,000, or `{events, cursor}`, as JSON, signed with Standard
 * Webhooks. The answer is the report; events that it calls stored are durable. GET `/ingest/<name>`, signed
 * too, answers the cursor of that name.
 * @throws TypeError the secret is invalid
 */
export function ingestResource(
  store: PointsStore,
  secret: string,
  operations?: Pick<Operations, "countEvents">,
): Resource {
  checkSignature({ headers: {}, body: "", secret });
  const requireSignature = (headers: Context["headers"], body: string | Uint8Array): void => {
    const signature = checkSignature({ headers, body, secret });
    if (!signature.ok)
      throw new Problem(401, `The signature is not valid: ${signature.reason}.`, {
        headers: { "www-authenticate": "StandardWebhooks" },
      });
  };
  return resource("ingest", {
    create: guarded(async ({ headers, body, query }) => {
      const bytes = await body.bytes();
      requireSignature(headers, bytes);
      const onError = readOnError(single(query, "onError") ?? "refuse");
      const { events, cursor } = readBody(bytes);
      try {
        const report = await store.ingest(events, { onError, cursor });
        operations?.countEvents(report);
        return report;
      } catch (error) {
        if (error instanceof CursorConflictError)
          throw new Problem(409, `${error.message}.`, {
            members: { cursor: error.value },
            cause: error,
          });
        if (!(error instanceof ImportError)) throw error;
        operations?.countEvents(error.report);
        throw new Problem(400, error.message, { members: { report: error.report }, cause: error });
      }
    }),
    find: guarded(async ({ headers, id }) => {
      requireSignature(headers, "");
      return { name: id, value: await store.readCursor(id) };
    }),
  });
}

interface IngestBody {
  readonly events: readonly unknown[];
  readonly cursor: Cursor | null;
}

function readBody(bytes: Uint8Array): IngestBody {
  const value = parseJson(bytes);
  const isEnvelope = typeof value === "object" && value !== null && "events" in value;
  const { events, cursor = null }: { events?: unknown; cursor?: unknown } = isEnvelope
    ? value
    : { events: Array.isArray(value) ? value : [value] };
  if (!Array.isArray(events)) throw badRequest("'events' must be a list.");
  if (events.length > maxEvents)
    throw new Problem(413, `${events.length} events are too many: at most ${maxEvents} at once.`);
  return { events, cursor: cursor === null ? null : readCursor(cursor) };
}

function readCursor(value: unknown): Cursor {
  const { name, value: given, previous }: Readonly<Record<string, unknown>> = Object(value);
  if (typeof name !== "string" || !isPlainAddress(name))
    throw badRequest("'cursor.name' must have 1 to 128 characters A-Z a-z 0-9 . _ -");
  if (typeof given !== "string" || given.length > maxCursorLength)
    throw badRequest(`'cursor.value' must be a string of at most ${maxCursorLength} characters.`);
  if (previous === undefined) return { name, value: given };
  if (previous === null || typeof previous === "string") return { name, value: given, previous };
  throw badRequest("'cursor.previous' must be a string, or null if there was none.");
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw badRequest(
      `The body is not JSON in UTF-8: ${error instanceof Error ? error.message : error}.`,
    );
  }
}

function readOnError(text: string): OnError {
  if (text === "skip" || text === "refuse") return text;
  throw badRequest(`'onError' must be skip or refuse, not '${text.slice(0, 80)}'.`);
}
