/** One thing that is wrong with a configuration file. Contains no secret values. */
export interface ConfigIssue {
  /** The key's path, such as `llm_routes.small.base_url`; empty for the file as a whole. */
  readonly path: string;
  /** What was found and what is expected. */
  readonly message: string;
  /** Position in the file, both from 1; null if there is none. */
  readonly line: number | null;
  readonly column: number | null;
}

/** An issue without a position in the file. */
export const unplacedIssue = (message: string, path: string = ""): ConfigIssue => ({
  path,
  message,
  line: null,
  column: null,
});

/** A configuration that cannot be used. Contains every issue that was found, in the file's order. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  /** The file's path, or whatever else the text came from. */
  readonly source: string;
  readonly issues: readonly ConfigIssue[];

  constructor(source: string, issues: readonly ConfigIssue[], options: { cause?: unknown } = {}) {
    const count = issues.length === 1 ? "1 error" : `${issues.length} errors`;
    super([`${source}: ${count}`, ...issues.map(formatIssue)].join("\n"), options);
    this.source = source;
    this.issues = issues;
  }
}

function formatIssue({ path, message, line, column }: ConfigIssue): string {
  const position = line === null ? "" : `${line}:${column} `;
  return `  ${position}${path === "" ? "" : `${path}: `}${message}`;
}
