/**
 * Creates a value for each key when it is first asked for, and keeps it for ever. Only for small sets of keys.
 */
export function oneForEach<Key, Value>(create: (key: Key) => Value): (key: Key) => Value {
  const all = new Map<Key, Value>();
  return (key) => {
    const known = all.get(key);
    if (known !== undefined) return known;
    const value = create(key);
    all.set(key, value);
    return value;
  };
}
