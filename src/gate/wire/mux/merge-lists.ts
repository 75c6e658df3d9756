/** Lists of several servers as one, in the order of the servers. Pure. */
import { META } from '../eras/protocol.ts';
import type { JsonObject } from '../frame.ts';
import { isObject } from '../read-frame.ts';
import { toTtl } from './merge-capabilities.ts';
import { toPrefixed } from './names.ts';

export interface ListKind {
  /** The member of the result that holds the items. */
  readonly field: string;
  /** The member of an item that tells it from others. */
  readonly key: string;
  /** Whether the key gets the server's name; an address is left as it is. */
  readonly isPrefixed: boolean;
  /** What a server must be able to do to have such a list. */
  readonly capability: string;
}

export const LISTS: ReadonlyMap<string, ListKind> = new Map([
  ['tools/list', { field: 'tools', key: 'name', isPrefixed: true, capability: 'tools' }],
  ['prompts/list', { field: 'prompts', key: 'name', isPrefixed: true, capability: 'prompts' }],
  [
    'resources/list',
    { field: 'resources', key: 'uri', isPrefixed: false, capability: 'resources' },
  ],
  [
    'resources/templates/list',
    {
      field: 'resourceTemplates',
      key: 'uriTemplate',
      isPrefixed: false,
      capability: 'resources',
    },
  ],
]);

/** The pages of one server's list. */
export interface ListPart {
  readonly server: string;
  readonly pages: readonly JsonObject[];
}

export interface MergedList {
  readonly result: JsonObject;
  /** Whose each item is, by its key in the merged list. */
  readonly owners: ReadonlyMap<string, string>;
  /** Why items were left out, in a sentence each. */
  readonly dropped: readonly string[];
}

/** `modernInfo` is who answers, told only to a client of 2026. */
export function mergeLists(
  { field, key, isPrefixed }: ListKind,
  parts: readonly ListPart[],
  modernInfo: JsonObject | undefined,
): MergedList {
  const items: JsonObject[] = [];
  const owners = new Map<string, string>();
  const dropped: string[] = [];
  for (const { server, pages } of parts) {
    for (const item of pages.flatMap((page) => toItems(page[field]))) {
      const own = item[key];
      if (typeof own !== 'string') continue;
      const shown = isPrefixed ? toPrefixed(server, own) : own;
      if (shown === undefined) dropped.push(`${server}: the name “${own}” is too long to prefix`);
      else if (owners.has(shown)) dropped.push(`${server}: “${own}” is listed twice`);
      else {
        owners.set(shown, server);
        items.push(isPrefixed ? { ...item, [key]: shown } : item);
      }
    }
  }
  const ttls = parts.flatMap(({ pages }) => pages.map((page) => toTtl(page['ttlMs'])));
  const modern = modernInfo && {
    resultType: 'complete',
    ttlMs: ttls.length === 0 ? 0 : Math.min(...ttls),
    cacheScope: 'private',
    _meta: { [META.server]: modernInfo },
  };
  return { result: { ...modern, [field]: items }, owners, dropped };
}

function toItems(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
