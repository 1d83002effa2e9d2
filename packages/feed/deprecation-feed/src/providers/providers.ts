import type { Provider } from "../notice/notice.ts";
import { alibaba } from "./alibaba.ts";
import { anthropic } from "./anthropic.ts";
import { awsBedrock } from "./aws-bedrock.ts";
import { azure } from "./azure.ts";
import { cerebras } from "./cerebras.ts";
import { cohere } from "./cohere.ts";
import { deepSeek } from "./deepseek.ts";
import { fireworks } from "./fireworks.ts";
import { googleChangelog } from "./google-changelog.ts";
import { googleGemini } from "./google-gemini.ts";
import { googleVertex } from "./google-vertex.ts";
import { googleVertexPartners } from "./google-vertex-partners.ts";
import { groq } from "./groq.ts";
import { miniMax } from "./minimax.ts";
import { mistral } from "./mistral.ts";
import { moonshot } from "./moonshot.ts";
import { openai } from "./openai.ts";
import { perplexity } from "./perplexity.ts";
import { xai } from "./xai.ts";

import { zAi } from "./z-ai.ts";

export const providers: readonly Provider[] = [
  openai,
  anthropic,
  googleGemini,
  googleChangelog,
  googleVertex,
  googleVertexPartners,
  awsBedrock,
  azure,
  cohere,
  groq,
  xai,
  mistral,
  deepSeek,
  alibaba,
  moonshot,
  cerebras,
  fireworks,
  miniMax,
  zAi,
  perplexity,
];
