/** Properties of WebDAV as the XML reader gives them: texts as they are, as CDATA, or as empty objects. */
import type { DAVResponse } from 'tsdav';

export function textOf(props: DAVResponse['props'], name: string): string {
  const value: unknown = props?.[name];
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  const { _cdata: text } = Object(value ?? {}) as { readonly _cdata?: unknown };
  return typeof text === 'string' ? text : '';
}

export function isOfType(props: DAVResponse['props'], type: string): boolean {
  const types: unknown = props?.['resourcetype'];
  return typeof types === 'object' && types !== null && Object.hasOwn(types, type);
}

/** The last name of an address. */
export function idOf(href: string): string {
  const names = new URL(href, 'http://localhost').pathname.split('/').filter((name) => name !== '');
  return decodeURIComponent(names.at(-1) ?? '');
}
