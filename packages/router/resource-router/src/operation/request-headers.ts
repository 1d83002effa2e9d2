/** Names in lower case; the values of a repeated header are joined by commas. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>;
