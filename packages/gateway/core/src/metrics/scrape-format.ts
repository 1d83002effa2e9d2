export type ScrapeFormat = "prometheus" | "openmetrics";

/** The content type of `prometheus`. */
export const prometheusType = "text/plain; version=0.0.4; charset=utf-8";

/** The text that a scraper asks for: Prometheus's own, unless it says that it reads OpenMetrics. */
export function scrapeFormat(accept: string | undefined): ScrapeFormat {
  const openmetrics = qualityOf("application/openmetrics-text", accept);
  return openmetrics > 0 && openmetrics >= qualityOf("text/plain", accept)
    ? "openmetrics"
    : "prometheus";
}

/** From 0 to 1 (RFC 9110, section 12.4.2): the best of the ranges that name the type, of any version. */
function qualityOf(type: string, accept = ""): number {
  const qualities = accept.split(",").map((range) => {
    const [name = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    if (name !== type) return 0;
    const quality = parameters.find((parameter) => parameter.startsWith("q="));
    return quality === undefined ? 1 : Number(quality.slice(2)) || 0;
  });
  return Math.max(0, ...qualities);
}
