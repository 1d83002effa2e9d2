export interface MediaType {
  /** Type and subtype, in lower case. */
  readonly essence: string;
  /** In lower case; null: not given. */
  readonly charset: string | null;
}

const token = "[\\w!#$%&'*+.^`|~-]+";
const form = new RegExp(`^\\s*(${token}/${token})\\s*(;.*)?$`);

/** Parses a `Content-Type` (RFC 9110, section 8.3.1); null: it is missing or malformed. */
export function readMediaType(header: string | undefined): MediaType | null {
  const [, essence, parameters = ""] = form.exec(header ?? "") ?? [];
  if (essence === undefined) return null;
  const charset = /;\s*charset=("?)([^";\s]*)\1/i.exec(parameters)?.[2]?.toLowerCase() ?? null;
  return { essence: essence.toLowerCase(), charset };
}

/** `application/json` and `<anything>+json`; a form on another site cannot send them. */
export function isJson({ essence }: MediaType): boolean {
  return essence === "application/json" || essence.endsWith("+json");
}
