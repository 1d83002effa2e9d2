/** The launcher's secrets. No command gets them: they open every session, the storage, or the traces' backend. */
export const secretVariables: readonly string[] = [
  "GATEWAY_API_KEY",
  "GATEWAY_SESSION_SECRET",
  "GATEWAY_DB_URL",
  "PGPASSWORD",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
];
