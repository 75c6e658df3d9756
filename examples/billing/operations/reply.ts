/** What operations return: pages, embedded relations, and things without the fields that stay inside. */
import { invalid } from '../refusals.ts';
import type { Cut, Page, PageQuery } from '../store/page.ts';
import { toPage } from '../store/page.ts';

type Rows<T> = { readonly kind: 'rows'; readonly rows: readonly T[]; readonly more: Cut['more'] };

export function page<T extends { readonly id: string }, U extends { readonly id: string }>(
  url: string,
  cut: Rows<T> | { readonly kind: 'unknown-cursor' },
  query: PageQuery,
  toShown: (one: T) => U,
): Page<U> {
  if (query.starting_after !== undefined && query.ending_before !== undefined) {
    invalid('ending_before', 'Send starting_after or ending_before, not both.');
  }
  if (cut.kind === 'unknown-cursor') {
    const name = query.starting_after === undefined ? 'ending_before' : 'starting_after';
    return invalid(name, 'The cursor is not in this list.', 'invalid_value');
  }
  return toPage(url, cut.rows.map(toShown), cut.more, query);
}

/** The relations that were asked for, each looked up only then. */
export function expand(
  text: string | undefined,
  relations: Readonly<Record<string, () => unknown>>,
): Record<string, unknown> {
  const wanted = (text ?? '').split(',').flatMap((name) => name.trim() || []);
  const embedded: Record<string, unknown> = {};
  for (const name of wanted) {
    const find = Object.hasOwn(relations, name) ? relations[name] : undefined;
    if (find === undefined) {
      invalid('expand', `"${name}" cannot be embedded here.`, 'invalid_value');
    }
    embedded[name] = find();
  }
  return embedded;
}

/** Where secrets and processor ids stay inside. */
export function show<T extends object>(thing: T): Omit<T, 'card' | 'secret' | 'code_id'> {
  const { card: _, secret: _s, code_id: _c, ...shown } = thing as T & Record<string, unknown>;
  return shown;
}

/** Only the given fields, so that omitted ones stay as they are. */
export function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** `a,b` as a list, without what is not known. */
export function listed(text: string | undefined, known: readonly string[]): string[] | undefined {
  return text?.split(',').flatMap((one) => (known.includes(one.trim()) ? one.trim() : []));
}
