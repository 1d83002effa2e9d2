import { describe, expect, it } from "vitest";
import { type EngineTokens, readEngineTokens } from "../src/tokens/engine-tokens.ts";

const listed = ({ prompt_ids, completion_ids, logprobs, versions }: EngineTokens) => ({
  prompt_ids: prompt_ids && Array.from(prompt_ids),
  completion_ids: completion_ids && Array.from(completion_ids),
  logprobs: logprobs && Array.from(logprobs),
  versions,
});

describe("the tokens of an answer are read as the engine reports them", () => {
  it("vLLM: prompt ids beside the choices, the rest in them", () => {
    const response = {
      prompt_token_ids: [1, 2],
      choices: [
        {
          token_ids: [3, 4],
          logprobs: {
            content: [
              { token: "a", logprob: -0.5 },
              { token: "b", logprob: -0.25 },
            ],
          },
        },
      ],
    };
    expect(listed(readEngineTokens(response))).toEqual({
      prompt_ids: [1, 2],
      completion_ids: [3, 4],
      logprobs: [-0.5, -0.25],
      versions: null,
    });
  });

  it("LiteLLM's proxy: completion ids in provider_specific_fields, prompt ids beside the choices", () => {
    const moved = (...token_ids: number[]) => ({
      token_ids: null,
      provider_specific_fields: { token_ids },
    });
    const response = { prompt_token_ids: [1, 2], choices: [moved(3, 4), moved(5)] };
    expect(listed(readEngineTokens(response))).toMatchObject({
      prompt_ids: [1, 2],
      completion_ids: [3, 4],
    });
    expect(listed(readEngineTokens(response, 1))).toMatchObject({
      prompt_ids: [1, 2],
      completion_ids: [5],
    });
    const { message } = { message: { provider_specific_fields: { token_ids: [6] } } };
    expect(listed(readEngineTokens({ choices: [{ message }] })).completion_ids).toEqual([6]);
  });

  it("llama.cpp: completion ids beside the log probabilities", () => {
    const content = [
      { id: 3, token: "a", logprob: -0.5 },
      { id: 4, token: "b", logprob: -0.25 },
    ];
    expect(listed(readEngineTokens({ choices: [{ logprobs: { content } }] }))).toMatchObject({
      prompt_ids: null,
      completion_ids: [3, 4],
      logprobs: [-0.5, -0.25],
    });
    const { id, ...without } = content[0] ?? { id: 0 };
    const partly = { choices: [{ logprobs: { content: [without, ...content] } }] };
    expect(id).toBe(3);
    expect(readEngineTokens(partly).completion_ids).toBeNull();
  });

  it("SGLang: ids in the choice, logprobs with their ids in meta_info, versions as spans", () => {
    const versions = [
      { version: "7", start: 0, end: 1 },
      { version: "8", start: 1, end: 2 },
    ];
    const response = {
      choices: [
        {
          prompt_token_ids: [1, 2],
          meta_info: {
            output_token_logprobs: [
              [-0.5, 3, "a"],
              [-0.25, 4, "b"],
            ],
            weight_versions: versions,
          },
        },
      ],
    };
    expect(listed(readEngineTokens(response))).toEqual({
      prompt_ids: [1, 2],
      completion_ids: [3, 4],
      logprobs: [-0.5, -0.25],
      versions,
    });
  });

  it.each([
    ["of each choice", [[2, 3]]],
    ["of the only choice", [2, 3]],
  ])("SGLang, newer: ids %s in sglext, one version for the whole answer", (_, output_ids) => {
    const response = {
      choices: [{ meta_info: { weight_version: "9" } }],
      sglext: { input_ids: [1], output_ids },
    };
    expect(listed(readEngineTokens(response))).toEqual({
      prompt_ids: [1],
      completion_ids: [2, 3],
      logprobs: null,
      versions: [{ version: "9", start: 0, end: 2 }],
    });
  });

  it("legacy completions: logprobs as plain numbers", () => {
    const choice = { prompt_token_ids: [1], token_ids: [2], logprobs: { token_logprobs: [-1] } };
    expect(listed(readEngineTokens({ choices: [choice] })).logprobs).toEqual([-1]);
  });

  it.each([[null], ["text"], [{}], [{ choices: [] }], [{ choices: [{ token_ids: null }] }]])(
    "%j: nothing",
    (response) => {
      const nothing = { prompt_ids: null, completion_ids: null, logprobs: null, versions: null };
      expect(readEngineTokens(response)).toEqual(nothing);
    },
  );

  it("keeps a value that is not an id unchanged, so that it is refused and not converted", () => {
    const { completion_ids } = readEngineTokens({ choices: [{ token_ids: [1.5, 2 ** 40, -1] }] });
    expect(Array.from(completion_ids ?? [])).toEqual([1.5, 2 ** 40, -1]);
  });
});
