/** An edit of one server's entry, as data: every format of host configurations applies the same ones. */

export type EntryMember = readonly [key: string, value: EntryValue];

export type EntryValue = string | readonly string[] | { readonly [key: string]: EntryValue };

/** `Array.isArray` does not narrow a list that cannot be changed. */
export function isList(value: EntryValue): value is readonly string[] {
  return Array.isArray(value);
}

export type EntryEdit =
  | { readonly kind: 'set'; readonly key: string; readonly value: string }
  /** Puts words before those of a list. */
  | { readonly kind: 'prepend'; readonly key: string; readonly words: readonly string[] }
  /** Keeps the last words of a list, as many as this. */
  | { readonly kind: 'keep-last'; readonly key: string; readonly count: number }
  /** Renames every member of the object under the key; `undefined` leaves one as it is. */
  | {
      readonly kind: 'rename';
      readonly key: string;
      readonly toName: (name: string) => string | undefined;
    }
  | { readonly kind: 'remove'; readonly key: string }
  | { readonly kind: 'replace'; readonly key: string; readonly members: readonly EntryMember[] }
  | {
      readonly kind: 'insert-after';
      readonly key: string;
      readonly members: readonly EntryMember[];
    };
