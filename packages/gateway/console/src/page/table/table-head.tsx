interface TableHeadProps {
  /** Their names; a column of numbers says so. */
  readonly columns: readonly (readonly [name: string, kind?: "number"])[];
}

/** The head of a table with a fixed order. */
export const TableHead = ({ columns }: TableHeadProps) => (
  <thead>
    <tr>
      {columns.map(([name, kind]) => (
        <th key={name} scope="col" class={kind}>
          {name}
        </th>
      ))}
    </tr>
  </thead>
);
