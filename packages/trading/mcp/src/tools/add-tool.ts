import type {
  CallToolResult,
  McpServer,
  StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import { toolErrorOf } from "../calls/tool-error.ts";

/** Called before each tool; if it throws, the agent gets that error instead. */
export type BeforeCall = (tool: string, signal: AbortSignal) => Promise<void> | void;

export interface ToolDefinition<
  Input extends StandardSchemaWithJSON,
  Output extends StandardSchemaWithJSON,
> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  /** The tool changes nothing. */
  readonly isReadOnly: boolean;
  readonly run: (
    input: StandardSchemaWithJSON.InferOutput<Input>,
    signal: AbortSignal,
  ) => Promise<StandardSchemaWithJSON.InferInput<Output>>;
}

/** `addTool` for one server. */
export type AddTool = <Input extends StandardSchemaWithJSON, Output extends StandardSchemaWithJSON>(
  definition: ToolDefinition<Input, Output>,
) => void;

/**
 * Adds a tool that returns an object of its output schema, as structured content and as JSON text. A failure
 * becomes a tool error whose text is `{"error":{"code","message",…}}`.
 */
export function addTool<
  Input extends StandardSchemaWithJSON,
  Output extends StandardSchemaWithJSON,
>(server: McpServer, definition: ToolDefinition<Input, Output>, beforeCall?: BeforeCall): void {
  const { name, title, description, input, output, isReadOnly, run } = definition;
  const config = {
    ...{ title, description, inputSchema: input, outputSchema: output },
    annotations: { readOnlyHint: isReadOnly, destructiveHint: !isReadOnly, openWorldHint: true },
  };
  server.registerTool<Output, StandardSchemaWithJSON>(name, config, async (args, { mcpReq }) => {
    try {
      await beforeCall?.(name, mcpReq.signal);
      const parsed = args as StandardSchemaWithJSON.InferOutput<Input>;
      const value = await run(parsed, mcpReq.signal);
      return { ...textOf(value), structuredContent: value as Record<string, unknown> };
    } catch (thrown) {
      const { code, message, details } = toolErrorOf(thrown);
      return { ...textOf({ error: { code, message, ...details } }), isError: true };
    }
  });
}

/** For clients that do not read structured content. */
function textOf(value: unknown): Pick<CallToolResult, "content"> {
  return { content: [{ type: "text", text: JSON.stringify(value) }] };
}
