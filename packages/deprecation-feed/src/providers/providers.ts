import type { Provider } from "../notice.ts";
import { anthropic } from "./anthropic.ts";
import { awsBedrock } from "./aws-bedrock.ts";
import { azure } from "./azure.ts";
import { cohere } from "./cohere.ts";
import { googleGemini } from "./google-gemini.ts";
import { googleVertex } from "./google-vertex.ts";
import { groq } from "./groq.ts";
import { mistral } from "./mistral.ts";
import { openai } from "./openai.ts";
import { xai } from "./xai.ts";

export const providers: readonly Provider[] = [
  openai,
  anthropic,
  googleGemini,
  googleVertex,
  awsBedrock,
  azure,
  cohere,
  groq,
  xai,
  mistral,
];
