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
