import { isStream, openSource, requireBytes, type Source, type Stream } from "../answer/stream.ts";
import type { Answer } from "../answer/to-answer.ts";

/**
 * Turns an answer into a web response. Like the Node half, it waits for the first chunk of a stream, so that a stream
 * that fails before its first chunk can still be answered 500, unless `headFirst` is set.
 * @param onError gets the error of a stream that fails later
 * @throws the error of a stream, and TypeError or RangeError for an answer that cannot be sent
 */
export async function toResponse(
  answer: Answer,
  isHead: boolean,
  onError: (error: unknown) => void,
): Promise<Response> {
  const { status, body, headFirst } = answer;
  const headers = toHeaders(answer.headers);
  if (isStream(body))
    return new Response(await streamBody(body, isHead, headFirst, onError), { status, headers });
  if (status !== 204 && status !== 304 && !headers.has("content-length"))
    headers.set("content-length", String(byteLength(body)));
  // Copied: a Response does not accept views of shared memory.
  const sent = typeof body === "string" || body === null ? body : new Uint8Array(body);
  return new Response(isHead ? null : sent, { status, headers });
}

function toHeaders(raw: readonly string[]): Headers {
  const headers = new Headers();
  for (let index = 0; index < raw.length; index += 2)
    headers.append(raw[index] ?? "", raw[index + 1] ?? "");
  return headers;
}

function byteLength(body: string | Uint8Array | null): number {
  return typeof body === "string" ? new TextEncoder().encode(body).length : (body?.length ?? 0);
}

async function streamBody(
  stream: Stream,
  isHead: boolean,
  headFirst: boolean,
  onError: (error: unknown) => void,
): Promise<ReadableStream<Uint8Array> | null> {
  const source = openSource(stream);
  try {
    const first = headFirst ? undefined : await nextBytes(source);
    if (!isHead) return sourceStream(source, first, onError);
    source.close();
    return null;
  } catch (error) {
    source.close();
    throw error;
  }
}

/** Null: the source has ended. */
async function nextBytes(source: Source): Promise<Uint8Array | null> {
  const { done, value } = await source.next();
  if (done === true) return null;
  const chunk = requireBytes(value);
  return typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk;
}

/** @param first the chunk already read; undefined: none; null: the source has ended */
function sourceStream(
  source: Source,
  first: Uint8Array | null | undefined,
  onError: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  let waiting = first;
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const bytes = waiting === undefined ? await nextBytes(source) : waiting;
        waiting = undefined;
        if (bytes === null) controller.close();
        else controller.enqueue(bytes);
      } catch (error) {
        source.close();
        onError(error);
        controller.error(error);
      }
    },
    cancel: () => source.close(),
  });
}
