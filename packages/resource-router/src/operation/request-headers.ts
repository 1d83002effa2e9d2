/** Names in lower case; a header that came more than once is joined by commas. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>;
