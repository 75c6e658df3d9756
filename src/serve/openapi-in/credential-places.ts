/** Where credentials of the API travel. They are the server's; no argument may stand in for them. */
import { asObject, member } from './json.ts';
import { placeId } from './read-parameters.ts';
import type { Upstream } from './upstream.ts';

export function credentialPlaces(
  document: unknown,
  { headers }: Pick<Upstream, 'headers'>,
): ReadonlySet<string> {
  const fixed = typeof headers === 'function' ? [] : Object.keys(headers);
  const schemes = asObject(member(member(document, 'components'), 'securitySchemes')) ?? {};
  const keys = Object.values(schemes)
    .filter((scheme) => member(scheme, 'type') === 'apiKey')
    .map((scheme) => placeId(String(member(scheme, 'in')), String(member(scheme, 'name'))));
  return new Set([...fixed.map((name) => placeId('header', name)), ...keys]);
}
