import { visible } from "./visible.ts";

/** Why something could not be read; null: nothing failed. It may quote what agents wrote. */
export const Notice = ({ error }: { readonly error: Error | null }) =>
  error === null ? null : (
    <p class="notice" role="alert">
      {visible(error.message)}
    </p>
  );
