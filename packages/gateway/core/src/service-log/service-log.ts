import { pino } from "pino";
import { LogDestination } from "./log-destination.ts";

const levels = [...Object.keys(pino.levels.values), "silent"];

export type LogFields = Readonly<Record<string, unknown>>;

/**
 * The service's own log: JSON lines with `time` (ISO 8601 UTC), `level`, `pid`, the fields and `msg`. Fields
 * are written as they are, so none may contain a secret; of an error under `err`, only name, message, code
 * and stack are written. Its methods never throw.
 */
export interface ServiceLog {
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  /** Writes what is left for at most two seconds and closes the file. Never rejects. */
  close(): Promise<void>;
}

export interface ServiceLogOptions {
  /** Appended to; parent folders are created. If it cannot be written, lines go to standard error. */
  readonly path: string;
  /** The lowest level that is written, one of pino's. @default "info" */
  readonly level?: string;
}

/** @throws Error if the level does not exist */
export function createServiceLog(options: ServiceLogOptions): ServiceLog {
  const { path, level = "info" } = options;
  if (!levels.includes(level))
    throw new Error(`The log level '${level}' does not exist. Use one of ${levels.join(", ")}.`);
  const destination = new LogDestination(path);
  const logger = pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    destination,
  );
  const write = (method: "info" | "warn" | "error", fields: LogFields, message: string): void => {
    try {
      logger[method](fields, message);
    } catch {
      // If a field cannot be read (a getter throws), the line is written without its fields.
      logger[method](message);
    }
  };
  return {
    info: (fields, message) => write("info", fields, message),
    warn: (fields, message) => write("warn", fields, message),
    error: (fields, message) => write("error", fields, message),
    close: () => destination.close(),
  };
}

interface ErrorDescription {
  readonly type: string;
  readonly message: string;
  readonly code?: string | number;
  readonly stack?: string;
}

/**
 * An error as the log shows it. Other properties, and the errors that caused it, are left out: those of HTTP
 * clients and database drivers contain requests and addresses with their credentials.
 */
function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof Error)) {
    const message = typeof error === "string" ? error : `a thrown ${typeof error}`;
    return { type: typeof error, message };
  }
  const code = "code" in error ? error.code : undefined;
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === "string" || typeof code === "number" ? { code } : {}),
    ...(error.stack === undefined ? {} : { stack: error.stack }),
  };
}
