/** Shown instead of a secret. */
const mask = "***";

/**
 * A URL with its password and the values of secret query parameters replaced by `***`; every other character stays.
 * This includes passwords with special characters that were not escaped. Text that is not a URL is returned unchanged.
 */
export function maskUrl(url: string): string {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url);
  if (scheme === null) return url;
  const start = scheme[0].length;
  const rest = maskUserInfo(url.slice(start), (scheme[1] ?? "").toLowerCase());
  return url.slice(0, start) + maskParameters(rest);
}

/** A database URL that is safe to show: `publicDbUrl("postgres://u:p@h/d")` is `postgres://u:***@h/d`. */
export const publicDbUrl = (db_url: string): string => maskUrl(db_url);

/** Masks every URL in a text, such as the message of a driver's error. */
export const maskUrlsInText = (text: string): string =>
  text.replace(/\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s"'<>`]+/gi, maskUrl);

function maskUserInfo(rest: string, scheme: string): string {
  // A file URL has no user; the file's name may contain an @.
  if (scheme === "sqlite" || scheme === "file") return rest;
  const isWeb = scheme === "http" || scheme === "https";
  const at = userInfoEnd(rest, isWeb);
  if (at === -1) return rest;
  const colon = rest.indexOf(":");
  if (colon !== -1 && colon < at) return rest.slice(0, colon + 1) + mask + rest.slice(at);
  // On the web, a user without a password is usually a token.
  return isWeb ? mask + rest.slice(at) : rest;
}

function userInfoEnd(rest: string, isWeb: boolean): number {
  const authority = /^[^/?#]*/.exec(rest)?.[0] ?? "";
  const query = rest.indexOf("?");
  const beforeQuery = query === -1 ? rest : rest.slice(0, query);
  // An @ in a path is common on the web; elsewhere it points to an unescaped password.
  const at = (isWeb ? authority : beforeQuery).lastIndexOf("@");
  if (at !== -1) return at;
  // A colon without a port after it begins a password, which then ends somewhere beyond the authority.
  return /^[^:[]*:(?!\d*$)/.test(authority) ? rest.lastIndexOf("@") : -1;
}

const secretName =
  /(?:password|passwd|pwd|passphrase|secret|token|key|signature|sig|credentials?|authorization|auth)$/;

/** Whether a name, in any case and with any separators, is that of a credential. */
export const isSecretName = (name: string): boolean =>
  secretName.test(name.toLowerCase().replace(/%[0-9a-f]{2}|[^a-z0-9]/g, ""));

const maskParameters = (rest: string): string =>
  rest.replace(/([?&#;])([^=&#;?]*)=([^&#;]*)/g, (whole: string, sign: string, name: string) =>
    isSecretName(name) ? `${sign}${name}=${mask}` : whole,
  );
