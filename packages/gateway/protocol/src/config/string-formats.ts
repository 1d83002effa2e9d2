import { isSecretName, type StringCheck } from "@proj/program/configuration";
import { fixedPaths } from "../gateway-paths.ts";
import { hopByHopHeaders } from "../hop-by-hop-headers.ts";

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** The gateway frames the body, asks for it unencoded, and names the session. */
const setByGateway = new Set([
  "accept-encoding",
  "content-encoding",
  "content-length",
  "expect",
  "host",
  "x-session-id",
]);

const headerName: StringCheck = (name) => (token.test(name) ? null : "is not a header name");

const upstreamHeaderName: StringCheck = (name) => {
  const lower = name.toLowerCase();
  if (hopByHopHeaders.includes(lower))
    return "belongs to a single connection and cannot be sent upstream";
  if (setByGateway.has(lower)) return "is set by the gateway itself";
  return headerName(name);
};

const headerValue: StringCheck = (value) =>
  /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
    ? null
    : "has a line break, a control character or one beyond Latin-1, which no header value may have";

const bearerKey: StringCheck = (key) =>
  /^[\x21-\x7e]+$/.test(key)
    ? null
    : "has a space, a line break or a character beyond ASCII, which no bearer key may have";

const extraBodyKey: StringCheck = (key) => {
  if (key.toLowerCase() === "model") return "may not be set here; use upstream_model";
  if (key.toLowerCase() === "stream") return "may not be set here; the caller decides";
  return null;
};

const upstreamUrl: StringCheck = (value) => {
  if (!/^https?:\/\/[\x21-\x7e]+$/i.test(value) || !URL.canParse(value)) {
    return "expected a URL such as https://host/v1";
  }
  const url = new URL(value);
  if (url.username !== "" || url.password !== "") {
    return "must have no user or password; put the credential in api_key or headers";
  }
  const secret = [...url.searchParams.keys()].find(isSecretName);
  if (secret !== undefined)
    return `must have no credential in its query (${secret}); put it in api_key or headers`;
  if (value.includes("?") && url.search === "") return "must not end in ?";
  if (value.includes("#")) return "must have no fragment (#…)";
  const endpoint = /\/(?:chat\/completions|responses|completions)\/*$/.exec(url.pathname);
  if (endpoint !== null) {
    return `must end before ${endpoint[0]}, which is added for each request`;
  }
  return null;
};

const date: StringCheck = (value) => {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
  // JavaScript reads February 30 as a day in early March.
  if (isDay && new Date(value).toISOString().startsWith(value)) return null;
  return "expected a day such as 2026-01-31";
};

const receiverUrl: StringCheck = (value) => {
  if (!/^https?:\/\/[\x21-\x7e]+$/i.test(value) || !URL.canParse(value))
    return "expected a URL such as http://localhost:4318";
  const { username, password } = new URL(value);
  if (username !== "" || password !== "")
    return "must have no user or password; put the credential in headers";
  return /\/v1\/traces\/*$/.test(value) ? "must end before /v1/traces, which is added" : null;
};

const origin: StringCheck = (value) => {
  const expected = "expected an origin such as https://console.example.com, without path or slash";
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@*]+$/.test(value) || !URL.canParse(value)) return expected;
  const { origin: normal } = new URL(value);
  // The platform can normalise only http and https origins.
  if (normal !== "null" && normal !== value) return `expected the form ${normal}`;
  return null;
};

const listenHost: StringCheck = (value) => {
  if (/^[^\s:/[\]]+:\d*$/.test(value))
    return "expected an address without a port; the port goes in listen_port";
  if (!/^[^\s/[\]]+$/.test(value)) return "expected an address such as 127.0.0.1, 0.0.0.0 or ::";
  return null;
};

const sessionPath: StringCheck = (value) => {
  if (!value.startsWith("/") || value === "/") return "expected a path such as /v1/sessions";
  if (value.endsWith("/")) return "must not end in a slash";
  const segments = value.slice(1).split("/");
  if (segments.some((segment) => !/^[A-Za-z0-9._~-]+$/.test(segment) || /^\.\.?$/.test(segment))) {
    return "may have only letters, digits and . _ ~ - between its slashes";
  }
  // Express ignores case in routes.
  const lower = value.toLowerCase();
  const hidden = Object.values(fixedPaths).find((path) => `${path}/`.startsWith(`${lower}/`));
  return hidden === undefined ? null : `would hide the endpoint ${hidden}`;
};

/** The formats of the configuration's schema, by name. */
export const stringFormats: Readonly<Record<string, StringCheck>> = {
  "bearer-key": bearerKey,
  date,
  "extra-body-key": extraBodyKey,
  "header-name": headerName,
  "header-value": headerValue,
  "listen-host": listenHost,
  origin,
  "receiver-url": receiverUrl,
  "session-path": sessionPath,
  "upstream-header-name": upstreamHeaderName,
  "upstream-url": upstreamUrl,
};
