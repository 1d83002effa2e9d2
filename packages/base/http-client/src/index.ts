export type { HttpAnswer } from "./answer.ts";
export type { HttpClientOptions, RequestOptions } from "./call-options.ts";
export {
  createHttpClient,
  type HttpClient,
  type Method,
} from "./http-client.ts";
export {
  ApiError,
  ConnectionError,
  HttpError,
  InvalidAnswerError,
  TimeoutError,
} from "./http-errors.ts";
export { type Polled, type PollOptions, poll } from "./poll.ts";
export type { Fields } from "./request-url.ts";
export type { RetryOptions } from "./retry.ts";
export { retryAfterMs, sleep } from "./wait.ts";
