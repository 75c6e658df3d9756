/**
 * The texts of statements, each made once. They are found by verb, table and column names: comparing names costs
 * less than joining them into a key for every statement.
 */

interface Known {
  readonly names: readonly string[];
  readonly more: readonly string[];
  readonly text: string;
}

const NONE: readonly string[] = Object.freeze([]);

export class StatementTexts {
  readonly #byVerb = new Map<string, Map<string, Known[]>>();

  /** `more`: a second list of names, where a statement has two. */
  of(
    verb: string,
    table: string,
    names: readonly string[],
    make: () => string,
    more: readonly string[] = NONE,
  ): string {
    let byTable = this.#byVerb.get(verb);
    if (byTable === undefined) this.#byVerb.set(verb, (byTable = new Map<string, Known[]>()));
    let known = byTable.get(table);
    if (known === undefined) byTable.set(table, (known = []));
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
