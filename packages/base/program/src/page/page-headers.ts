export interface PageHeaderOptions {
  /** Allows inline styles, for a page whose library sets them. @default false */
  readonly inlineStyles?: boolean;
}

/** Headers for every answer of a server with a page: the page runs only its own scripts and asks only its own server. */
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
