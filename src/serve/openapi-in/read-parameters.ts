/**
 * Reads the path, query and header parameters of an endpoint: which ones the caller sets, and how they
 * are sent.
 */
import type { Endpoint } from './endpoints.ts';
import { Refused } from './finding.ts';
import { mediaKind } from './read-body.ts';
import type { Json, Located } from './reference.ts';
import { asList, asObject, asText, member, locate, resolve } from './reference.ts';
import type { KeyNeed, Place, PlannedParameter, ReadArgument, Style } from './request-plan.ts';
import { ARGUMENT_NAME } from './request-plan.ts';

interface ReadParameter {
  readonly plan: PlannedParameter;
  readonly argument: ReadArgument;
}

interface ReadParameters {
  readonly parameters: readonly ReadParameter[];
  /** Names in the query, of parameters and of credentials, that members of an object cannot have. */
  readonly reserved: readonly string[];
  /** Whether the API takes an idempotency key, which is not an argument: the kit sends it. */
  readonly key: KeyNeed | undefined;
}

export const KEY_HEADER = 'idempotency-key';

/**
 * Headers that belong to the connection or to the credentials of the server, or that make another
 * request of it; never a caller's.
 */
const NOT_FOR_CALLERS =
  /^(?:accept|(?:x-)?(?:api-?key|auth-token|access-token)|authorization|connection|content-.*|cookie2?|expect|forwarded|host|keep-alive|origin|proxy-.*|referer|sec-.*|set-cookie2?|te|trailer|transfer-encoding|upgrade|via|x-forwarded-.*|x-http-method.*|x-method-override|x-original-.*|x-real-ip|x-rewrite-.*)$/;

const STYLES: Readonly<Record<Place, readonly Style[]>> = {
  path: ['simple'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
};

/** A valid HTTP header name. */
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;

/** `credentials` are the parts that the server fills itself, as `credentialId` writes them. */
export function readParameters(
  endpoint: Endpoint,
  document: unknown,
  credentials: ReadonlySet<string>,
): ReadParameters {
  const all = new Map<string, ReadParameter>();
  let key: ReadParameters['key'];
  for (const written of [...endpoint.shared, ...asList(endpoint.operation['parameters'])]) {
    const located = resolve(written, document);
    const { name, in: place, required } = asObject(located.value) ?? {};
    if (typeof name !== 'string' || !isKnown(place) || (place === 'header' && !TOKEN.test(name))) {
      throw new Refused(
        'endpoint-unreadable',
        'A parameter has no usable "name" or "in"; "in" is path, query, header or cookie.',
      );
    }
    const id = placeId(place, name);
    if (id === `header:${KEY_HEADER}`) key = required === true ? 'required' : 'optional';
    else if (place !== 'cookie' && !isServers(place, name, credentials)) {
      all.set(id, readOne(name, place, located));
    }
  }
  const parameters = [...all.values()].filter(({ plan }) => isUsed(plan, endpoint.path));
  for (const [, name = ''] of endpoint.path.matchAll(/\{([^}]*)\}/g)) {
    if (all.has(placeId('path', name))) continue;
    throw new Refused(
      'path-parameter-missing',
      `The path has {${name}}, and no parameter describes it; add one with "in": "path".`,
    );
  }
  return { parameters, reserved: reservedNames([...all.values()], credentials), key };
}

function reservedNames(
  parameters: readonly ReadParameter[],
  credentials: ReadonlySet<string>,
): readonly string[] {
  const declared = parameters.filter(({ plan }) => plan.place === 'query');
  const secret = [...credentials].filter((id) => id.startsWith(IN_QUERY));
  return [
    ...declared.map(({ plan }) => looseName(plan.name)),
    ...secret.map((id) => id.slice(IN_QUERY.length)),
  ];
}

/** Header names are case-insensitive; all others are not. */
function placeId(place: string, name: string): string {
  return `${place}:${place === 'header' ? name.toLowerCase() : name}`;
}

/** One spelling for all names that one server or another takes for the same. */
export function credentialId(place: string, name: string): string {
  return `${place}:${looseName(name)}`;
}

const IN_QUERY = credentialId('query', '');

/** `API.key[0]` as `api_key`: frameworks ignore case, replace punctuation and split at brackets. */
export function looseName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/(?<=.)\[.*/su, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_');
}

function readOne(name: string, place: Place, { value, root }: Located): ReadParameter {
  const object = asObject(value) ?? {};
  const [mediaType, content] = Object.entries(asObject(object['content']) ?? {})[0] ?? [];
  if (mediaType !== undefined && mediaKind(mediaType) !== 'json') {
    throw new Refused(
      'style-unsupported',
      `Parameter "${name}" has a media type that is not supported; use JSON, or a style.`,
    );
  }
  const style = content === undefined ? readStyle(name, place, object) : 'json';
  const argument = ARGUMENT_NAME.test(name) ? name : toArgument(name);
  const schema = content === undefined ? object['schema'] : member(content, 'schema');
  const explode = object['explode'] === true || (style === 'form' && object['explode'] !== false);
  const allowsReserved = place === 'query' && object['allowReserved'] === true;
  const plan = { argument, name, place, style, explode };
  return {
    plan: allowsReserved ? { ...plan, allowsReserved } : plan,
    argument: {
      name: argument,
      place,
      schema: locate(schema ?? {}, root),
      required: place === 'path' || object['required'] === true,
      description: asText(object['description']),
    },
  };
}

function readStyle(name: string, place: Place, { style }: Json): Style {
  const known = STYLES[place];
  const said = known.find((each) => each === (style ?? known[0]));
  if (said !== undefined) return said;
  throw new Refused(
    'style-unsupported',
    `Parameter "${name}" is written in a style that is not supported; use ${known.join(', ')}.`,
  );
}

/** Cookies are credentials, which callers must not set. */
function isKnown(place: unknown): place is Place | 'cookie' {
  return typeof place === 'string' && (place === 'cookie' || Object.hasOwn(STYLES, place));
}

function isServers(place: Place, name: string, credentials: ReadonlySet<string>): boolean {
  if (place === 'path') return false;
  if (credentials.has(credentialId(place, name))) return true;
  return place === 'header' && NOT_FOR_CALLERS.test(name.toLowerCase().replaceAll('_', '-'));
}

function isUsed({ place, name }: PlannedParameter, path: string): boolean {
  return place !== 'path' || path.includes(`{${name}}`);
}

/** `filter[status]` as `filter_status` */
function toArgument(name: string): string {
  const plain = name.replaceAll(/[^\w.-]+/g, '_').replaceAll(/^_+|_+$/g, '');
  return plain.slice(0, 64) || 'parameter';
}
