export interface PageHeaderOptions {
  /** A library of the page sets styles by itself. @default false */
  readonly inlineStyles?: boolean;
}

/** What every answer of a server with a page has: the page runs its own scripts alone, and asks its own server. */
export function pageHeaders({
  inlineStyles = false,
}: PageHeaderOptions = {}): Readonly<Record<string, string>> {
  const styles = inlineStyles ? "'self' 'unsafe-inline'" : "'self'";
  return {
    "x-content-type-options": "nosniff",
    "content-security-policy": [
      "default-src 'none'",
      "script-src 'self'",
      `style-src ${styles}`,
      "connect-src 'self'",
      "img-src 'self' data:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join("; "),
  };
}
