export { nodeExchange } from "./node/node-exchange.ts";
export * from "./resources.ts";
export { createRouter, type Router, type RouterOptions } from "./router.ts";
