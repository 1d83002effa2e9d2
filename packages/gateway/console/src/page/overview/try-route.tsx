import type { RouteOverview } from "@proj/gateway-protocol";
import { formOf } from "@proj/model-apis";
import { isJsonObject, type Utterance } from "@proj/model-apis/conversation";
import { useRef, useState } from "preact/hooks";
import { useSource } from "../data/use-answer.ts";
import { Message } from "../session/parts.tsx";
import { Choice } from "../table/choice.tsx";
import { duration } from "../text/format.ts";
import { visible } from "../text/visible.ts";

/** The request that tries each API. */
const requests: Readonly<Record<string, (model: string, text: string) => object>> = {
  chat_completions: (model, content) => ({ model, messages: [{ role: "user", content }] }),
  responses: (model, input) => ({ model, input }),
  messages: (model, content) => ({
    ...{ model, max_tokens: 1024 },
    messages: [{ role: "user", content }],
  }),
  completions: (model, prompt) => ({ model, prompt, max_tokens: 256 }),
};

const paths: Readonly<Record<string, string>> = {
  chat_completions: "/v1/chat/completions",
  responses: "/v1/responses",
  messages: "/v1/messages",
  completions: "/v1/completions",
};

interface Tried {
  readonly text: string;
  readonly answers: readonly Utterance[];
}

/** A box for asking a route something, outside any session, so that nothing is recorded. */
export function TryRoute({ route: { model, endpoints } }: { readonly route: RouteOverview }) {
  const source = useSource();
  const known = endpoints.filter((name) => name in requests);
  const [endpoint, setEndpoint] = useState(known[0] ?? "");
  const [text, setText] = useState("What is 19 + 23?");
  const [tried, setTried] = useState<Tried | null>(null);
  const asking = useRef<AbortController | null>(null);
  const [isAsking, setAsking] = useState(false);
  if (known.length === 0) return null;
  const ask = async (): Promise<void> => {
    const stop = new AbortController();
    asking.current = stop;
    setAsking(true);
    setTried(null);
    const began = performance.now();
    const took = (): string => duration(performance.now() - began);
    try {
      const body = requests[endpoint]?.(model, text) ?? {};
      const answer = await source.send<unknown>(paths[endpoint] ?? "", body, stop.signal);
      const answers = isJsonObject(answer) ? formOf(endpoint).answersOf(answer) : null;
      setTried({ text: `Answered in ${took()}.`, answers: answers ?? [] });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      setTried({ text: stop.signal.aborted ? "Cancelled." : `${why} (${took()})`, answers: [] });
    }
    setAsking(false);
  };
  return (
    <form
      class="try"
      aria-label="Try the route"
      onSubmit={(event) => {
        event.preventDefault();
        if (isAsking) asking.current?.abort();
        else void ask();
      }}
    >
      <label>
        Try it
        <textarea
          rows={2}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <p class="tools">
        {known.length > 1 && (
          <Choice
            name="API"
            value={endpoint}
            options={known.map((name) => [name, name])}
            onChoice={setEndpoint}
          />
        )}
        <button type="submit">{isAsking ? "Cancel" : "Ask"}</button>
        <span class="quiet" role="status">
          {isAsking ? "Waiting for the answer …" : visible(tried?.text ?? "")}
        </span>
        <span class="quiet">Outside any session: nothing is recorded.</span>
      </p>
      {tried?.answers.map((answer, index) => (
        <Message key={index} message={answer} tools={new Map()} />
      ))}
    </form>
  );
}
