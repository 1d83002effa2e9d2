/**
 * Makes what belongs to a key when the key first comes, and keeps it for ever: only for keys of
 * which there are few.
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
