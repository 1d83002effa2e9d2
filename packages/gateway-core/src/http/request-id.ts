import { randomUUID } from "node:crypto";

let lastTime = 0;
let counter = 0;

/**
 * A UUID of version 7 (RFC 9562, section 5.7; the counter is that of section 6.2, method 1): unique,
 * and increasing within a process, so that the index of rows by their request grows at its end
 * instead of in a random page for every row.
 */
export function createRequestId(): string {
  const now = Date.now();
  if (now > lastTime) {
    lastTime = now;
    counter = 0;
  } else if (++counter > 0xfff) {
    lastTime += 1;
    counter = 0;
  }
  const time = lastTime.toString(16).padStart(12, "0");
  const count = counter.toString(16).padStart(3, "0");
  // The variant and the random part are those of a version 4.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}${randomUUID().slice(18)}`;
}
