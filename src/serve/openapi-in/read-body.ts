/**
 * Reads the JSON body of an endpoint: its fields become arguments beside the parameters. If it is not a
 * plain object, or a field has a parameter's name, the whole body is one argument.
 */
import { KEY_ARGUMENT } from '../../effect/idempotency-key.ts';
import type { Endpoint } from './endpoints.ts';
import type { Located } from './reference.ts';
import { asObject, asText, isTextList, locate, member, resolve } from './reference.ts';
import { isHidden } from './schema-bundle.ts';
import type { KeyNeed, PlannedBody, ReadArgument } from './request-plan.ts';
import { ARGUMENT_NAME } from './request-plan.ts';

interface ReadBody {
  readonly plan: PlannedBody;
  readonly arguments: readonly ReadArgument[];
  /** Whether a field is for the idempotency key, which is not an argument: the kit fills it. */
  readonly key?: KeyNeed;
}

const WHOLE = 'body';

/** Keywords that a body schema may have and still be just its fields. */
const FIELDS_ONLY: ReadonlySet<string> = new Set([
  '$id',
  '$schema',
  '$defs',
  '$comment',
  'type',
  'properties',
  'required',
  'additionalProperties',
  'title',
  'description',
  'example',
  'examples',
  'externalDocs',
  'xml',
]);

/** `taken`: the names of the parameters. */
export function readBody(
  endpoint: Endpoint,
  document: unknown,
  taken: ReadonlySet<string>,
): ReadBody | undefined {
  const media = requestMedia(endpoint, document).find(isJson);
  if (media === undefined) return undefined;
  const { value } = resolve(member(endpoint.operation, 'requestBody'), document);
  const required = member(value, 'required') === true;
  const contentType = media.mediaType.includes('*') ? 'application/json' : media.mediaType;
  const schema = media.schema ?? locate({}, document);
  const fields = fieldsOf(schema, taken);
  if (fields === undefined) {
    const description = asText(member(value, 'description')) ?? 'The whole body of the request.';
    const whole = { name: WHOLE, place: 'request', schema, required, description };
    return { plan: { contentType, required, arguments: WHOLE }, arguments: [whole] };
  }
  const { entries, needed, root } = fields;
  const shown = entries
    .filter(([name, field]) => name !== KEY_ARGUMENT && !isHidden(field, root, 'input'))
    .map(([name, field]) => ({
      name,
      place: 'body',
      schema: locate(field, root),
      required: required && needed.includes(name),
      description: undefined,
    }));
  const plan = { contentType, required, arguments: shown.map(({ name }) => name) };
  if (!entries.some(([name]) => name === KEY_ARGUMENT)) return { plan, arguments: shown };
  const key = needed.includes(KEY_ARGUMENT) ? 'required' : 'optional';
  return { plan: { ...plan, keyField: KEY_ARGUMENT }, arguments: shown, key };
}

interface Fields {
  readonly entries: readonly (readonly [string, unknown])[];
  readonly needed: readonly string[];
  readonly root: unknown;
}

function fieldsOf(written: Located, taken: ReadonlySet<string>): Fields | undefined {
  const { value, root } = resolve(written.value, written.root);
  const schema = asObject(value);
  if (schema === undefined || hasSiblings(written.value)) return undefined;
  const { type = 'object', additionalProperties: more, required: needed } = schema;
  const properties = asObject(schema['properties']) ?? (more === false ? {} : undefined);
  if (type !== 'object' || (more ?? false) !== false || properties === undefined) return undefined;
  const isPlain = Object.keys(schema).every(
    (keyword) => FIELDS_ONLY.has(keyword) || keyword.startsWith('x-'),
  );
  const entries = Object.entries(properties);
  const isFree = entries.every(([name]) => ARGUMENT_NAME.test(name) && !taken.has(name));
  return isPlain && isFree
    ? { entries, needed: isTextList(needed) ? needed : [], root }
    : undefined;
}

/** A reference with sibling keywords means more than its target. */
function hasSiblings(written: unknown): boolean {
  return (
    typeof member(written, '$ref') === 'string' &&
    Object.keys(asObject(written) ?? {}).some((key) => key !== '$ref' && key !== 'description')
  );
}

/** The kinds of media types for a tool: data, text, and what it cannot return. */

type MediaKind = 'json' | 'text' | 'image' | 'stream' | 'binary';

const STREAM =
  /^(?:text\/event-stream|application\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-seq|stream\+json))$/;

export function mediaKind(mediaType: string): MediaKind {
  const essence = (mediaType.split(';')[0] ?? '').trim().toLowerCase();
  if (STREAM.test(essence)) return 'stream';
  if (/^application\/(?:[\w.-]+\+)?json$/.test(essence) || essence === '*/*') return 'json';
  if (essence.startsWith('image/')) return 'image';
  if (essence.startsWith('text/') || /^application\/(?:[\w.-]+\+)?(?:xml|yaml)$/.test(essence)) {
    return 'text';
  }
  return 'binary';
}

/** The media types that a document gives for an endpoint's request and its successes. */
export interface Media {
  readonly mediaType: string;
  /** As it is written, before its own `$ref` is followed. */
  readonly schema: Located | undefined;
}

/** One entry per documented 2xx answer: its possible media types, none when empty. */
export function successMedia(endpoint: Endpoint, document: unknown): readonly (readonly Media[])[] {
  const responses = asObject(member(endpoint.operation, 'responses')) ?? {};
  return Object.keys(responses)
    .filter((status) => /^2(?:\d\d|xx)$/i.test(status))
    .map((status) => mediaOf(resolve(responses[status], document)));
}

/** GET and HEAD have no body, whatever a document says. */
export function requestMedia(endpoint: Endpoint, document: unknown): readonly Media[] {
  const { method, operation } = endpoint;
  const isBodiless = method === 'get' || method === 'head';
  const body = isBodiless ? undefined : member(operation, 'requestBody');
  return body === undefined ? [] : mediaOf(resolve(body, document));
}

export function isJson({ mediaType }: Media): boolean {
  return mediaKind(mediaType) === 'json';
}

function mediaOf({ value, root }: Located): readonly Media[] {
  const content = asObject(member(value, 'content')) ?? {};
  return Object.entries(content).map(([mediaType, media]) => {
    const schema = member(media, 'schema');
    return { mediaType, schema: schema === undefined ? undefined : locate(schema, root) };
  });
}
