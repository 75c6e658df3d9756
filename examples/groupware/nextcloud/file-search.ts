/** A search of files as Nextcloud takes it: the basic search of WebDAV, with SQL's LIKE for names and types. */
import type { FileQuery } from '../backend.ts';

const NAMESPACES = { 'xmlns:d': 'DAV:', 'xmlns:oc': 'http://owncloud.org/ns' };

/** `scope` is the path of the directory below the address that is asked, with the account in it. */
export function toSearch(query: FileQuery, scope: string, props: object): object {
  const { name, mimeType, onlyFavorites } = query;
  const conditions = [
    ['d:like', 'd:displayname', name],
    ['d:like', 'd:getcontenttype', mimeType && `${mimeType}%`],
    ['d:eq', 'oc:favorite', onlyFavorites === true ? '1' : undefined],
  ].filter(([, , literal]) => literal !== undefined) as [string, string, string][];
  // What LIKE takes for any character is sorted out later, so the server must not cut before.
  const isExact = !`${name}${mimeType}`.includes('_');
  return {
    searchrequest: {
      _attributes: NAMESPACES,
      'd:basicsearch': {
        'd:select': { 'd:prop': props },
        'd:from': { 'd:scope': { 'd:href': scope, 'd:depth': 'infinity' } },
        'd:where': toWhere(conditions),
        'd:orderby': {},
        ...(isExact && { 'd:limit': { 'd:nresults': query.limit } }),
      },
    },
  };
}

function toWhere(conditions: readonly [string, string, string][]): object {
  const wanted: readonly [string, string, string][] =
    conditions.length === 0 ? [['d:like', 'd:displayname', '%']] : conditions;
  const group = (operator: string): object[] =>
    wanted
      .filter(([each]) => each === operator)
      .map(([, prop, literal]) => ({ 'd:prop': { [prop]: {} }, 'd:literal': literal }));
  const all = { 'd:like': group('d:like'), 'd:eq': group('d:eq') };
  return wanted.length === 1 ? all : { 'd:and': all };
}
