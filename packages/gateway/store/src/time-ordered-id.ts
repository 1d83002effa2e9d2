import { randomUUID } from "node:crypto";

const maxCount = 0xfff;

let time = 0;
let timePart = "";
let count = maxCount;

/**
 * A UUID of version 7 (RFC 9562, section 5.7, with the counter of section 6.2, method 1): unique, and increasing
 * within a process. So attempts are claimed in the order in which they were added, and an index of rows by request
 * grows at its end instead of in a random page for every row. Its 62 random bits are its own: an agent that knows its
 * own session's id cannot guess another's.
 */
export function createTimeOrderedId(): string {
  const now = Date.now();
  if (now > time || count === maxCount) {
    time = Math.max(now, time + 1);
    count = 0;
    const digits = time.toString(16).padStart(12, "0");
    timePart = `${digits.slice(0, 8)}-${digits.slice(8)}-7`;
  } else {
    count += 1;
  }
  return timePart + count.toString(16).padStart(3, "0") + randomUUID().slice(18);
}
