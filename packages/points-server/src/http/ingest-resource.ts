import { badRequest, Problem, type Resource, resource } from "@proj/resource-router";
import { checkSignature } from "../ingest/check-signature.ts";
import { ImportError, type OnError } from "../ingest/import-report.ts";
import type { PointsStore } from "../points-store.ts";
import { guarded } from "./guarded.ts";
import { single } from "./page-query.ts";

const mostEvents = 10_000;

/**
 * POST `/ingest`: an event, or a list of up to 10,000, as JSON, signed as Standard Webhooks says.
 * The answer is the report; what it says is stored is durable.
 * @throws TypeError the secret is none
 */
export function ingestResource(store: PointsStore, secret: string): Resource {
  checkSignature({ headers: {}, body: "", secret });
  return resource("ingest", {
    create: guarded(async ({ headers, body, query }) => {
      const bytes = await body.bytes();
      const signature = checkSignature({ headers, body: bytes, secret });
      if (!signature.ok)
        throw new Problem(401, `The signature does not hold: ${signature.reason}.`, {
          headers: { "www-authenticate": "StandardWebhooks" },
        });
      const onError = readOnError(single(query, "onError") ?? "refuse");
      const events = readEvents(bytes);
      try {
        return await store.ingest(events, { onError });
      } catch (error) {
        if (!(error instanceof ImportError)) throw error;
        throw new Problem(400, error.message, { members: { report: error.report }, cause: error });
      }
    }),
  });
}

function readEvents(bytes: Uint8Array): readonly unknown[] {
  const value = parseJson(bytes);
  const events = Array.isArray(value) ? value : [value];
  if (events.length <= mostEvents) return events;
  throw new Problem(413, `${events.length} events are more than ${mostEvents} at once.`);
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
