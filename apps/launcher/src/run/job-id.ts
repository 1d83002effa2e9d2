import { randomBytes } from "node:crypto";

/** Tells when it was made, and is another one for each job: `job-20260131-235959-9f3a61c0`. */
export function newJobId(): string {
  const [day = "", time = ""] = new Date()
    .toISOString()
    .replace(/[-:]|\..*/g, "")
    .split("T");
  return `job-${day}-${time}-${randomBytes(4).toString("hex")}`;
}
