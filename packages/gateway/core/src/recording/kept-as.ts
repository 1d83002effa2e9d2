import type { AnswerFacts } from "@proj/model-apis";
import type { BoundCall } from "./bound-call.ts";

/** The id by which a later request may name the answer; null: it cannot. */
export function keptAs(
  { endpoint, reference }: Pick<BoundCall, "endpoint" | "reference">,
  facts: AnswerFacts | null,
): string | null {
  return endpoint.keepsAnswers || reference !== null ? (facts?.object_id ?? null) : null;
}

/** What a row says about the row that it continues. */
export function continuationOf({ reference, parent }: Pick<BoundCall, "reference" | "parent">): {
  readonly continues: object | undefined;
  readonly history: "partial" | undefined;
} {
  if (reference === null || parent === null || reference.id === null)
    return { continues: undefined, history: undefined };
  const { by, id } = reference;
  return {
    continues: { request_id: parent.request_id, by, id },
    history: parent.isPartial ? "partial" : undefined,
  };
}
