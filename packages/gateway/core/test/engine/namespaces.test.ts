import { sequences } from "@proj/sequences";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { startGateway } from "../start-gateway.ts";
import { called, ended, said, startEngine, tokenizer } from "./engine-server.ts";
import { recordedSteps } from "./recorded-steps.ts";

const parameters = { type: "object", properties: { message: { type: "string" } } };
const tools: OpenAI.Responses.Tool[] = [
  { type: "function", name: "spawn", description: "Plain.", strict: false, parameters },
  {
    type: "namespace",
    name: "agents",
    description: "Others that work.",
    tools: [
      { type: "function", name: "spawn", description: "One more.", strict: false, parameters },
    ],
  },
];

test.each([true, false])(
  "tools of a namespace are functions for an engine (streamed: %s)",
  async (streams) => {
    const turns = [
      [called("agents__spawn", '{"message":', 13), called("", '"go"}', 14), ended],
      [said("Done.", 17), ended],
    ];
    await using engine = await startEngine(turns, (answer) =>
      answer === 0 ? "tool_calls" : "stop",
    );
    await using gateway = await startGateway({
      llm_routes: { policy: { base_url: engine.url, engine: "vllm", tokenizer } },
    });
    const { responses } = new OpenAI({ baseURL: gateway.sessionUrl("s"), apiKey: "none" });
    const input: OpenAI.Responses.ResponseInput = [{ role: "user", content: "Begin." }];
    const ask = async () => {
      const body = { model: "policy", input, tools };
      return streams ? responses.stream(body).finalResponse() : responses.create(body);
    };
    const { output } = await ask();
    const call = {
      type: "function_call",
      namespace: "agents",
      name: "spawn",
      arguments: '{"message":"go"}',
    };
    expect(output).toMatchObject([call]);
    const [{ call_id = "" } = {}] = output as { call_id?: string }[];
    input.push(...(output as OpenAI.Responses.ResponseInputItem[]), {
      type: "function_call_output",
      call_id,
      output: "spawned",
    });
    await ask();
    const [asked] = engine.requests.map(({ body }) => JSON.parse(body.toString()));
    expect(asked.tools.map((tool: { function: { name: string } }) => tool.function.name)).toEqual([
      "spawn",
      "agents__spawn",
    ]);
    const { ledger } = sequences(recordedSteps(gateway.steps("s")));
    expect(ledger).toMatchObject({
      delivered_fraction: 1,
      prefix_extension_rate: 1,
      extendable: 1,
    });
  },
);
