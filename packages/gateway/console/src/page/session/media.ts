import { isJsonObject, listOf, parsedObject } from "@proj/model-apis/conversation";

/** An image of a message. Only images inside the message are shown: loading others would reveal the reader. */
export interface ImagePart {
  /** A `data:` URL; null: the image is elsewhere. */
  readonly data: string | null;
  /** Where or what it is. */
  readonly description: string;
}

const shownImage = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]+$/;

/** Null: the part is not an image. */
export function imageOf(json: string): ImagePart | null {
  const part = parsedObject(json);
  if (!/image/.test(String(part.type))) return null;
  const { source, image_url } = part;
  if (isJsonObject(source) && source.type === "base64")
    return describe(`data:${String(source.media_type)};base64,${String(source.data)}`);
  const url = isJsonObject(source)
    ? source.url
    : isJsonObject(image_url)
      ? image_url.url
      : image_url;
  return typeof url === "string" ? describe(url) : null;
}

export interface Citation {
  readonly title: string;
  readonly url: string | null;
}

/** The sources that an answer names, in the form of any of the APIs. */
export function citationsOf(response: unknown): readonly Citation[] {
  const found: Citation[] = [];
  if (!isJsonObject(response)) return found;
  const blocks = [
    ...listOf(response.content),
    ...listOf(response.output).flatMap((item) => listOf(isJsonObject(item) ? item.content : null)),
    ...listOf(response.choices).map((choice) => (isJsonObject(choice) ? choice.message : null)),
  ];
  for (const block of blocks) {
    if (!isJsonObject(block)) continue;
    for (const named of [...listOf(block.citations), ...listOf(block.annotations)]) {
      if (!isJsonObject(named)) continue;
      const inner = isJsonObject(named.url_citation) ? named.url_citation : named;
      const url = typeof inner.url === "string" ? inner.url : null;
      const title =
        inner.title ?? inner.document_title ?? inner.filename ?? inner.cited_text ?? url;
      if (typeof title === "string") found.push({ title, url });
    }
  }
  return found;
}

function describe(url: string): ImagePart {
  const isShown = shownImage.test(url);
  return { data: isShown ? url : null, description: isShown ? "image" : url.slice(0, 300) };
}
