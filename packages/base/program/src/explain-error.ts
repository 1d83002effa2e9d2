import { ConfigError, maskUrlsInText } from "./configuration/messages.ts";
import { exitCode } from "./exit-code.ts";
import { ProgramError } from "./program-error.ts";

export interface Explanation {
  readonly messages: readonly string[];
  readonly exitCode: number;
}

/** The messages for an error, and the exit code. Passwords in URLs are masked. */
export function explainError(error: unknown): Explanation {
  if (error instanceof ProgramError) return told(error.messages, error.exitCode);
  if (error instanceof ConfigError) return told([error.message], exitCode.usage);
  const place = listenFailure(error);
  if (place !== null) return told([place], exitCode.failed);
  return told([error instanceof Error ? error.message : String(error)], exitCode.failed);
}

const told = (messages: readonly string[], code: number): Explanation => ({
  messages: messages.map((message) => maskUrlsInText(inPlainWords(message))),
  exitCode: code,
});

/** What Node says about files, as people say it. */
const inPlainWords = (message: string): string =>
  message
    .replace(/ENOENT: no such file or directory, \w+ '([^']*)'/g, "no such file or folder: '$1'")
    .replace(/EACCES: permission denied, \w+ '([^']*)'/g, "this user may not use '$1'")
    .replace(/EISDIR: illegal operation on a directory, \w+(?: '[^']*')?/g, "it is a folder");

/** Explains why an address cannot be listened on, and what to do about it. */
function listenFailure(error: unknown): string | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (!("code" in at) || !("syscall" in at) || at.syscall !== "listen") continue;
    const host = "address" in at ? String(at.address) : "this machine";
    const port = "port" in at ? `port ${at.port} of ${host}` : host;
    if (at.code === "EADDRINUSE")
      return `${port} is in use. Stop what listens there, or choose another with --port.`;
    if (at.code === "EACCES")
      return `${port} is not allowed for this user. Choose one above 1023 with --port.`;
    if (at.code === "EADDRNOTAVAIL") return `${host} is not an address of this machine.`;
  }
  return null;
}
