interface NameChoiceProps<Names extends Readonly<Record<string, string>>> {
  readonly name: string;
  /** What each is called on the page. */
  readonly names: Names;
  readonly value: keyof Names;
  readonly onChoice: (value: keyof Names & string) => void;
}

/** One of a few names. */
export function NameChoice<Names extends Readonly<Record<string, string>>>(
  props: NameChoiceProps<Names>,
) {
  const { name, names, value, onChoice } = props;
  return (
    <label class="tools">
      {name}
      <select
        value={String(value)}
        onChange={({ currentTarget }) => onChoice(currentTarget.value as keyof Names & string)}
      >
        {Object.entries(names).map(([each, said]) => (
          <option key={each} value={each} selected={each === value}>
            {said}
          </option>
        ))}
      </select>
    </label>
  );
}
