import { type AnswerFacts, apiOf, asksNotToStore, namedItem } from "@proj/model-apis";
import type { BoundCall } from "./bound-call.ts";

/** The id by which a later request may name the answer; null: it cannot. */
export function keptAs(
  { endpoint, reference }: Pick<BoundCall, "endpoint" | "reference">,
  facts: AnswerFacts | null,
): string | null {
  return endpoint.keepsAnswers || reference !== null ? (facts?.object_id ?? null) : null;
}

/** False: the upstream was asked not to keep the answer; undefined: it was not. */
export const storeOf = ({
  endpoint,
  body,
}: Pick<BoundCall, "endpoint" | "body">): false | undefined =>
  endpoint.keepsAnswers && asksNotToStore(body) ? false : undefined;

/** What a row says about the row that it continues. */
export function continuationOf({
  reference,
  parent,
  served,
  endpoint,
  body,
}: Pick<BoundCall, "reference" | "parent" | "served" | "endpoint" | "body">): {
  readonly continues: object | undefined;
  readonly history: "partial" | "served" | undefined;
} {
  const isNamed = apiOf[endpoint.name] === "responses" && namedItem(body) !== null;
  if (reference === null || parent === null || reference.id === null)
    return { continues: undefined, history: isNamed ? "partial" : undefined };
  const { by, id } = reference;
  const sent = served === null ? undefined : "served";
  return {
    continues: { request_id: parent.request_id, by, id },
    history: parent.isPartial || isNamed ? "partial" : sent,
  };
}
