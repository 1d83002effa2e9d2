type FieldValue = string | number | boolean;

/** The fields of a query or a form. A list repeats its key; null and undefined are left out. */
export type Fields = Readonly<
  Record<string, FieldValue | readonly FieldValue[] | null | undefined>
>;

export function encodeFields(fields: Fields = {}): URLSearchParams {
  const encoded = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const item of [value ?? []].flat()) encoded.append(name, String(item));
  }
  return encoded;
}

/** A proxy cannot reach listeners on this machine. */
export const isLoopback = ({ hostname }: URL): boolean =>
  /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])$/.test(hostname);

const secretName = /(?:password|passwd|pwd|secret|token|key|signature|sig|auth|credentials?)$/i;

/** The URL as errors show it: without credentials. */
export function maskedUrl(url: URL): string {
  const shown = new URL(url);
  if (shown.username !== "") shown.username = "***";
  if (shown.password !== "") shown.password = "***";
  for (const name of new Set(shown.searchParams.keys())) {
    if (secretName.test(name)) shown.searchParams.set(name, "***");
  }
  return shown.href;
}
