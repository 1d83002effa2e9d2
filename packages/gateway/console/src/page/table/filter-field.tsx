import type { RefObject } from "preact";

interface FilterFieldProps {
  readonly name: string;
  readonly placeholder: string;
  readonly typed: string;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly onTyped: (typed: string) => void;
}

/** A field for filters, and what was typed into it. */
export const FilterField = ({ name, placeholder, typed, field, onTyped }: FilterFieldProps) => (
  <search>
    <label class="search">
      <span class="hidden">{name}</span>
      <input
        ref={field}
        type="search"
        placeholder={placeholder}
        value={typed}
        spellcheck={false}
        onInput={({ currentTarget }) => onTyped(currentTarget.value)}
      />
    </label>
  </search>
);
