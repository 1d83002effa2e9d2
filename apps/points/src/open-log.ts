import type { LogEntry } from "@proj/points-server";
import { pino } from "pino";

/** Appends lines of JSON, each with its time, to a file. @param path null: logs nothing */
export function openLog(path: string | null): (entry: LogEntry) => void {
  if (path === null) return () => {};
  const destination = pino.destination({ dest: path, mkdir: true, sync: true });
  const log = pino({ timestamp: pino.stdTimeFunctions.isoTime }, destination);
  return ({ level, event, ...facts }) => log[level]({ event, ...facts });
}
