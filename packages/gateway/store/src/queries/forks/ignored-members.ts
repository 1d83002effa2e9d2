/** The stored form of the members that a replay ignores: a JSON list; null: none. */
export const ignoredText = (ignore: readonly string[]): string | null =>
  ignore.length === 0 ? null : JSON.stringify(ignore);

export const ignoredMembers = (ignored: string | null): readonly string[] =>
  ignored === null ? [] : JSON.parse(ignored);
