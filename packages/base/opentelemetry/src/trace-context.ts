import { hash } from "node:crypto";
import type { SpanPlace } from "./tracer.ts";

/** W3C Trace Context, section 3.2: version (never ff), trace id and parent id (never all zeros), flags. */
const traceparentForm =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(?:-|$)/;

/** Null: the text is not a `traceparent`. */
export function parseTraceparent(text: unknown): SpanPlace | null {
  if (typeof text !== "string") return null;
  const [, trace_id, span_id] = traceparentForm.exec(text) ?? [];
  return trace_id === undefined || span_id === undefined ? null : { trace_id, span_id };
}

/** Sampled, as every span is exported. */
export const traceparentOf = ({ trace_id, span_id }: SpanPlace): string =>
  `00-${trace_id}-${span_id}-01`;

/** Of recent sessions: hashing takes longer than everything else about a step's span. */
const places = new Map<string, SpanPlace>();
const maxPlaces = 4_096;

/**
 * The span of a session. Its ids follow from the session's name, so launchers and gateways that know nothing of
 * each other put their spans for it into one trace.
 */
export function sessionPlace(session_id: string): SpanPlace {
  const known = places.get(session_id);
  if (known !== undefined) return known;
  const digits = digitsOf(session_id);
  const place = { trace_id: digits.slice(0, 32), span_id: digits.slice(32, 48) };
  if (places.size >= maxPlaces) places.clear();
  places.set(session_id, place);
  return place;
}

/** The span of the attempt that the session belongs to: above the session's span, in the same trace. */
export function simulationPlace(session_id: string): SpanPlace {
  const digits = digitsOf(session_id);
  return { trace_id: digits.slice(0, 32), span_id: digits.slice(48) };
}

const digitsOf = (session_id: string): string => hash("sha256", `session ${session_id}`, "hex");
