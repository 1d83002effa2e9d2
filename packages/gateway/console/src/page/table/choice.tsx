interface ChoiceProps<Value extends string> {
  readonly name: string;
  readonly value: Value | "";
  /** Each with what it is called on the page. */
  readonly options: readonly (readonly [Value, string])[];
  /** What it is called to choose none of them. @default one is always chosen */
  readonly none?: string;
  readonly onChoice: (value: Value) => void;
}

/** One of some options. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { name, value, options, none, onChoice } = props;
  return (
    <label class="tools">
      {name}
      <select
        value={value}
        onChange={({ currentTarget }) => onChoice(currentTarget.value as Value)}
      >
        {none !== undefined && <option value="">{none}</option>}
        {options.map(([each, said]) => (
          <option key={each} value={each} selected={each === value}>
            {said}
          </option>
        ))}
      </select>
    </label>
  );
}
