import { useEffect, useState } from "preact/hooks";
import type { Source } from "./source.ts";

/** Whether a gateway answers; false until that is known. */
export function useHasGateway(source: Source): boolean {
  const [hasGateway, setGateway] = useState(false);
  useEffect(() => void source.hasGateway().then(setGateway, () => {}), [source]);
  return hasGateway;
}
