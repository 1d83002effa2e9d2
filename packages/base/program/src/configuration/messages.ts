/** The parts that a program's messages need. It loads no parser, so that programs start sooner. */
export { closestNames } from "./closest-names.ts";
export { ConfigError } from "./config-error.ts";
export { maskUrlsInText, publicDbUrl } from "./secret-masking.ts";
