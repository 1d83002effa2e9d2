const history = /"(?:messages|input|prompt)"\s*:\s*null/g;

/** The request's body as it was sent: in `request`, null replaces the messages. */
export function bodyOf(request: string | null, messages: string | null): string | null {
  if (request === null || messages === null) return request;
  const places = [...request.matchAll(history)];
  const bodies = places.map(({ 0: found, index }) => {
    const end = index + found.length;
    return request.slice(0, end - "null".length) + messages + request.slice(end);
  });
  // A deeper member of the same name may be null as well.
  return bodies.find((body) => isAtTop(body, messages)) ?? bodies[0] ?? request;
}

/** A command that sends a body again. It takes the key from the environment. */
export function curlOf(url: string, body: string): string {
  return [
    `curl ${url}`,
    `-H 'content-type: application/json'`,
    `-H "authorization: Bearer $GATEWAY_API_KEY"`,
    `--data-binary '${escaped(body).replaceAll("'", String.raw`'\''`)}'`,
  ].join(" \\\n  ");
}

/**
 * Characters that a terminal obeys or that change what is shown, as JSON writes them: pasted, the text is the same.
 * White space between members stays.
 */
const obeyed = /(?![\t\n])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

const escaped = (body: string): string =>
  body.replace(obeyed, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
    ).join(""),
  );

const paths: Readonly<Record<string, string>> = {
  chat_completions: "/chat/completions",
  responses: "/responses",
  completions: "/completions",
  embeddings: "/embeddings",
  messages: "/messages",
};

/** A path outside the session, so that sending the request again adds no step. */
export const pathOf = (endpoint: string | null): string =>
  `/v1${paths[endpoint ?? ""] ?? paths.chat_completions}`;

function isAtTop(body: string, messages: string): boolean {
  try {
    const { messages: chat, input, prompt } = JSON.parse(body);
    return JSON.stringify(chat ?? input ?? prompt) === JSON.stringify(JSON.parse(messages));
  } catch {
    return false;
  }
}
