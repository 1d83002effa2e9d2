import { randomBytes } from "node:crypto";

/** Contains its time of creation and differs for each job: `job-20260131-235959-9f3a61c0`. */
export function newJobId(): string {
  const [day = "", time = ""] = new Date()
    .toISOString()
    .replace(/[-:]|\..*/g, "")
    .split("T");
  return `job-${day}-${time}-${randomBytes(4).toString("hex")}`;
}
