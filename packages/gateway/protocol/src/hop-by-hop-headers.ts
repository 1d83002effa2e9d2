/**
 * Headers that belong to a single connection (RFC 9110, section 7.6.1, and what older software still sends).
 */
export const hopByHopHeaders: readonly string[] = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];
