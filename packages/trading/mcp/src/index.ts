export { ToolError, type ToolErrorCode } from "./calls/tool-error.ts";
export {
  createTradingMcp,
  type TradingMcpFactory,
  type TradingMcpOptions,
} from "./create-trading-mcp.ts";
export { type McpHttpOptions, type McpHttpServer, serveMcpHttp } from "./serving/serve-mcp-http.ts";
export { type McpStdioOptions, serveMcpStdio } from "./serving/serve-mcp-stdio.ts";
export { addTool, type BeforeCall, type ToolDefinition } from "./tools/add-tool.ts";
