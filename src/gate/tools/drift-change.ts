/** What a change of a tool definition is called, and which way it points. */

/** Drift: how a definition differs from the one that was accepted, as data. */

export type Direction = 'safer' | 'riskier' | 'neutral';

export type DriftCode =
  /** The reading came to another tier. */
  | 'tier'
  | 'hint'
  /** A declaration in `_meta`. */
  | 'claim'
  | 'parameter-added'
  | 'parameter-removed'
  | 'parameter-required'
  | 'parameter-optional'
  | 'choices'
  | 'limit'
  | 'default'
  /** Text that tells the model what to do. */
  | 'instructions'
  /** Characters that a person does not see. */
  | 'hidden-text'
  /** Text beyond what is read. */
  | 'long-text'
  | 'wording'
  | 'schema'
  | 'name'
  /** Part of the definition is not JSON. */
  | 'unreadable'
  /** The accepted text was not kept, so that nobody can tell what changed. */
  | 'not-comparable';

export interface DriftChange {
  readonly code: DriftCode;
  readonly direction: Direction;
  /** A JSON pointer into the definition. */
  readonly pointer: string;
  /** One sentence for people. Words of the tool stand in it only in quotes, and short. */
  readonly text: string;
}

/** Words of a tool, short enough to stand in a sentence. */
export function quote(words: string): string {
  const short = words.length > 60 ? `${words.slice(0, 60).toWellFormed()}…` : words;
  return JSON.stringify(short.replaceAll(/[\p{Cc}\p{Cf}]/gu, '\u{fffd}'));
}

export function toPointer(...keys: readonly string[]): string {
  return keys.map((key) => `/${NEEDS_ESCAPE.test(key) ? escape(key) : key}`).join('');
}

const NEEDS_ESCAPE = /[~/]/;

function escape(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
