export { webRequest } from "./fetch/fetch-exchange.ts";
export {
  createFetchRouter,
  type FetchRouter,
  type FetchRouterOptions,
} from "./fetch/fetch-router.ts";
export * from "./resources.ts";
