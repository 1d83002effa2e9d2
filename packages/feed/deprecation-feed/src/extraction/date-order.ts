/** How the page writes `5/6/2026`; `unknown` if no date on it proves either order. */
export type DateOrder = "month-first" | "day-first" | "unknown";

const numericDate =
  /(?<![\p{L}\p{N}_/.-])(\d{1,2})([/-])(\d{1,2})\2(?:\d{4}|\d{2})(?![\p{N}_/-])/gu;

/** A page writes all its dates the same way: one day above 12 decides for the others. */
export function dateOrderOf(texts: Iterable<string>): DateOrder {
  const proofs = new Set<DateOrder>();
  for (const text of texts) {
    for (const [, first = "", , second = ""] of text.matchAll(numericDate)) {
      const [a, b] = [Number(first), Number(second)];
      if (a > 12 && a <= 31 && b <= 12) proofs.add("day-first");
      if (b > 12 && b <= 31 && a <= 12) proofs.add("month-first");
    }
  }
  const [proof = "unknown", contradiction] = proofs;
  return contradiction === undefined ? proof : "unknown";
}
