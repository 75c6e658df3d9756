/** `['rules', 0, 'when']` as people write it: `rules[0].when`. */
export function toPath(keys: readonly (string | number)[]): string {
  return keys
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`))
    .join('');
}
