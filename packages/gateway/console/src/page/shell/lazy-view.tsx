import { type ComponentType, h } from "preact";
import { useEffect, useState } from "preact/hooks";
import { triedAgain } from "../data/tried-again.ts";

/**
 * A view whose code is loaded when it is first shown.
 * @param Until what is shown until then, and if it cannot be loaded @default nothing, or that it cannot
 */
export function lazyView<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Until: ComponentType<Props> | null = null,
): ComponentType<Props> {
  let View: ComponentType<Props> | null = null;
  return function Lazy(props: Props) {
    const [isFailed, setFailed] = useState(false);
    const [, setLoaded] = useState(false);
    useEffect(() => {
      if (View !== null) return;
      const loading = triedAgain(load).then((loaded) => {
        View = loaded;
        setLoaded(true);
      });
      loading.catch(() => setFailed(true));
    }, []);
    if (View !== null) return h(View, props);
    if (Until !== null) return h(Until, props);
    return isFailed ? (
      <p class="notice">This part of the page cannot be loaded. Reload the page.</p>
    ) : (
      <div class="page" aria-busy="true" />
    );
  };
}
