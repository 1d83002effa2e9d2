/** Where new messages begin in the text behind an answer. */
export interface EndOfTurn {
  readonly at: number;
  /** The special token right before it, which decides how the text behind it is split; empty: none. */
  readonly token: string;
}

interface Place {
  readonly token: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds where a text goes on behind the model's last token.
 * @param text all that a template writes behind the model's answer, new messages included
 * @param sampled the last token's text; undefined: it is not a special token, so the template closes the turn
 * @param special texts of the special tokens, by their ids
 * @param closing what the template writes behind an answer that nothing follows; null: it refuses that
 * @returns null: the turn's end cannot be told
 */
export function endOfTurn(
  text: string,
  sampled: string | undefined,
  special: ReadonlyMap<number, string>,
  closing: () => string | null,
): EndOfTurn | null {
  // New messages may be long, and tokens many: what is behind the sampled one is not looked at.
  const found = sampled === undefined ? -1 : text.indexOf(sampled);
  const first = found < 0 ? null : firstOf(special, text.slice(0, found + (sampled ?? "").length));
  if (first !== null && first.token === sampled) return behind(first);
  const alone = closing();
  if (alone === null) return withoutClosing(text, sampled, firstOf(special, text));
  const shared = sharedStart(text, alone);
  const closes = firstOf(special, shared);
  if (sampled === undefined)
    return closes === null ? { at: shared.length, token: "" } : { at: closes.start, token: "" };
  const at = shared.indexOf(sampled);
  if (at >= 0) return behind({ token: sampled, start: at, end: at + sampled.length });
  const last = lastOf(special, shared);
  if (last !== null) return behind(last);
  // The model and the template close the last turn with this token, and the template earlier ones with another.
  const earlier = alone.includes(sampled) ? firstOf(special, text) : null;
  if (earlier !== null) return behind(earlier);
  // The template closes no turn: the token begins the next one.
  return { at: shared.length, token: "" };
}

function withoutClosing(text: string, sampled: string | undefined, first: Place | null) {
  if (first === null) return null;
  if (sampled === undefined) return { at: first.start, token: "" };
  const start = text.indexOf(sampled);
  return behind(start < 0 ? first : { token: sampled, start, end: start + sampled.length });
}

const behind = ({ token, end }: Place): EndOfTurn => ({ at: end, token });

/** The longest of the special tokens that come first. */
function firstOf(special: ReadonlyMap<number, string>, text: string): Place | null {
  const places = [...special.values()].flatMap((token): Place[] => {
    const start = token === "" ? -1 : text.indexOf(token);
    return start < 0 ? [] : [{ token, start, end: start + token.length }];
  });
  const [first = null] = places.toSorted(
    (one, other) => one.start - other.start || other.end - one.end,
  );
  return first;
}

function lastOf(special: ReadonlyMap<number, string>, text: string): Place | null {
  let last: Place | null = null;
  for (let from = 0; ; ) {
    const next = firstOf(special, text.slice(from));
    if (next === null) return last;
    last = { token: next.token, start: from + next.start, end: from + next.end };
    from = last.end;
  }
}

function sharedStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length);
}
