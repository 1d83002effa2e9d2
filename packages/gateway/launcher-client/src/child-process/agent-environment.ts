import type { Environment } from "./command-options.ts";

/** Variables of the launcher that every agent gets; all others may hold secrets. */
const passed: readonly string[] = [
  "PATH",
  "LANG",
  "LANGUAGE",
  "LC_ALL",
  "LC_CTYPE",
  "TERM",
  "TZ",
  // Where to find the certificates that the machine trusts.
  "SSL_CERT_DIR",
  "SSL_CERT_FILE",
  "NODE_EXTRA_CA_CERTS",
  // Windows cannot start a program without these.
  "COMSPEC",
  "PATHEXT",
  "SYSTEMDRIVE",
  "SYSTEMROOT",
  "WINDIR",
];

/** The variable in which OpenTelemetry's SDKs look for a parent's context. */
export const traceVariables = (traceparent: string | undefined): Record<string, string> =>
  traceparent === undefined ? {} : { TRACEPARENT: traceparent };

/** For the system's own tools, which are there whatever the launcher's path is. */
export const toolEnvironment = (): Record<string, string> => {
  const { PATH = "" } = process.env;
  const places = [...PATH.split(":"), "/usr/bin", "/bin"].filter((place) => place !== "");
  return { ...passedVariables(process.env), PATH: places.join(":") };
};

/** @param names further variables to pass */
export function passedVariables(
  environment: Environment,
  names: readonly string[] = [],
): Record<string, string> {
  const wanted = new Set([...passed, ...names]);
  const isWanted = (name: string): boolean =>
    wanted.has(process.platform === "win32" ? name.toUpperCase() : name);
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && isWanted(name) ? [[name, value]] : [],
    ),
  );
}
