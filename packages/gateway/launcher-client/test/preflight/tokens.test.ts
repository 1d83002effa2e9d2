import { openJobStore } from "@proj/session-store";
import { qwen3Folder, startSamplingEngine } from "@proj/test-kit";
import { expect, test } from "vitest";
import { createGatewayClient } from "../../src/gateway/gateway-client.ts";
import { preflight } from "../../src/preflight/preflight.ts";
import { startGateway } from "../start-gateway.ts";

test("a route whose tokens cannot be trained on is told, and refused if they are required", async () => {
  await using engine = await startSamplingEngine(() => ({ text: "Yes." }));
  const route = { base_url: engine.url, engine: "vllm", tokenizer: qwen3Folder };
  const gateway = await startGateway({
    config: {
      llm_routes: {
        policy: route,
        // It samples nothing for the probe to see.
        wrong: { ...route, engine: "sglang" },
        plain: { base_url: engine.url },
      },
    },
  });
  const { db_url } = gateway;
  const store = await openJobStore({ storage_type: "sqlite", storage_config: { db_url } });
  const check = (llm_model: string, requireTokens: boolean) =>
    preflight({
      gateway: createGatewayClient({ baseUrl: gateway.url }),
      storage_type: "sqlite",
      db_url,
      readStorageId: async () => store.storage_id,
      llm_model,
      requireTokens,
    });
  try {
    const { missingForTraining } = await check("policy", true);
    expect(missingForTraining.filter((line) => line.startsWith("token_ids"))).toEqual([]);
    const warned = await check("wrong", false);
    expect(warned.missingForTraining[0]).toMatch(/^token_ids at .*SGLang takes and returns ids/);
    await expect(check("wrong", true)).rejects.toThrow(/"wrong" samples cannot be trained on/);
    expect((await check("plain", false)).missingForTraining).toEqual([]);
    await expect(check("plain", true)).rejects.toThrow(/no 'engine'/);
  } finally {
    await store.close();
    await gateway.close();
  }
});
