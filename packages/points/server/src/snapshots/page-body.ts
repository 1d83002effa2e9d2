import type { Piece } from "./record-block.ts";

const comma = 44;

/** The JSON of a page. @param user JSON in ASCII @param pieces of the leaderboard, to be joined with commas */
export function pageBody(user: string, pieces: readonly Piece[], totalItems: number): Buffer {
  const before = `{"user":${user},"leaderboard":[`;
  const after = `],"totalItems":${totalItems}}`;
  let size = before.length + after.length + Math.max(0, pieces.length - 1);
  for (const { start, end } of pieces) size += end - start;
  const body = Buffer.allocUnsafe(size);
  let at = body.write(before, "latin1");
  for (const [index, { bytes, start, end }] of pieces.entries()) {
    if (index > 0) body[at++] = comma;
    at += bytes.copy(body, at, start, end);
  }
  body.write(after, at, "latin1");
  return body;
}

/** The pieces as one string. */
export function textOf(pieces: readonly Piece[]): string {
  return pieces.map(({ bytes, start, end }) => bytes.toString("latin1", start, end)).join("");
}
