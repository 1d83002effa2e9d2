/** Variables of agents that do not reach an image: it has its own, or they name paths that it does not have. */
export const ownOfImages: ReadonlySet<string> = new Set([
  "PATH",
  "SSL_CERT_DIR",
  "SSL_CERT_FILE",
  "NODE_EXTRA_CA_CERTS",
]);
