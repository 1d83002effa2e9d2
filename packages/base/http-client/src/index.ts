export type { HttpAnswer } from "./answer.ts";
export type { Fields, HttpClientOptions, RequestOptions, RetryOptions } from "./call-options.ts";
export { createHttpClient, type HttpClient, type Method } from "./http-client.ts";
export {
  ApiError,
  ConnectionError,
  HttpError,
  InvalidAnswerError,
  retryAfterMs,
  TimeoutError,
} from "./http-errors.ts";
export { sleep } from "./sleep.ts";
