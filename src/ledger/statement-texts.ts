/**
 * The texts of the statements of one verb, each made once. They are told apart by their table and the names of
 * their columns: comparing names costs less than joining them to a key for every statement.
 */

interface Known {
  readonly names: readonly string[];
  readonly more: readonly string[];
  readonly text: string;
}

const NONE: readonly string[] = Object.freeze([]);

export class StatementTexts {
  readonly #byTable = new Map<string, Known[]>();

  /** `more`: a second list of names, where a statement has two. */
  of(
    table: string,
    names: readonly string[],
    make: () => string,
    more: readonly string[] = NONE,
  ): string {
    let known = this.#byTable.get(table);
    if (known === undefined) this.#byTable.set(table, (known = []));
    for (const one of known) {
      if (isSame(one.names, names) && isSame(one.more, more)) return one.text;
    }
    const text = make();
    known.push({ names, more, text });
    return text;
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false;
  return true;
}
