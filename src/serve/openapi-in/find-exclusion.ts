/**
 * Which endpoints get no tool because of what they are. Pure: reads the document only, and returns the
 * first kind that fits. Untyped bodies depend on the tier and are checked separately.
 */
import type { Tier } from '../../effect/tier.ts';
import { TIERS } from '../../effect/tier.ts';
import type { Endpoint } from './endpoints.ts';
import type { ExclusionCode } from './finding.ts';
import type { Media } from './read-body.ts';
import { isJson, mediaKind, requestMedia, successMedia } from './read-body.ts';
import type { Located } from './reference.ts';
import { asList, asObject, member, resolve } from './reference.ts';

const FORWARDED: ReadonlySet<string> = new Set(['get', 'head', 'post', 'put', 'patch', 'delete']);
/** How a path names a map tile. */
const TILE = ['{z}', '{x}', '{y}'];
/** Marks a raw response, whatever media type the document gives it. */
const RAW_RESPONSE = 'x-raw-response';
const NOT_FOR_AGENTS: ReadonlySet<string> = new Set(['admin', 'cron', 'internal']);

export function findExclusion(
  endpoint: Endpoint,
  scopes: readonly string[],
  document: unknown,
): ExclusionCode | undefined {
  if (!FORWARDED.has(endpoint.method)) return 'method-not-forwarded';
  if (isForAdmins(endpoint, scopes, document)) return 'admin';
  if (TILE.every((step) => endpoint.path.includes(step))) return 'image';
  if (member(endpoint.operation, RAW_RESPONSE) === true) return 'binary-download';
  const answers = successMedia(endpoint, document);
  const unfit = answers.map(unfitAnswer).find((code) => code !== undefined);
  if (unfit !== undefined) return unfit;
  const body = requestMedia(endpoint, document);
  if (body.length > 0 && !body.some(isJson)) return 'body-not-json';
  return undefined;
}

/** An approver must see what a call would do; a free-form body shows nothing. */
export function isUntyped(endpoint: Endpoint, tier: Tier, document: unknown): boolean {
  if (!TIERS[tier].asks || TIERS[tier].issuesSecrets) return false;
  const body = requestMedia(endpoint, document).find(isJson);
  return body !== undefined && (body.schema === undefined || isFreeForm(body.schema));
}

function isForAdmins(
  { path, operation }: Endpoint,
  scopes: readonly string[],
  document: unknown,
): boolean {
  const tags = asList(operation['tags']).flatMap((tag) =>
    typeof tag === 'string' ? toWords(tag) : [],
  );
  const asked = [
    ...scopes,
    ...securityScopes(operation['security'] ?? member(document, 'security')),
  ].flatMap((scope) => scope.split(/[:./]/));
  return [...path.split('/'), ...tags, ...asked].some((word) =>
    NOT_FOR_AGENTS.has(word.toLowerCase()),
  );
}

/** The scopes that the API itself requires of its callers' tokens. */
function securityScopes(security: unknown): readonly string[] {
  return asList(security)
    .flatMap((requirement) => Object.values(asObject(requirement) ?? {}))
    .flatMap(asList)
    .filter((scope) => typeof scope === 'string');
}

/** If JSON is among several media types, a call asks for it and the others do not matter. */
function unfitAnswer(answer: readonly Media[]): ExclusionCode | undefined {
  const data = answer.filter(isJson);
  if (data.length > 0) return data.map(({ schema }) => fileIn(schema)).find(Boolean);
  const kinds = new Set(answer.map(({ mediaType }) => mediaKind(mediaType)));
  if (kinds.has('text')) return undefined;
  if (kinds.has('image')) return 'image';
  if (kinds.has('stream')) return 'stream';
  return kinds.has('binary') ? 'binary-download' : undefined;
}

/** Some documents describe a file as a string in JSON. */
function fileIn(schema: Located | undefined): ExclusionCode | undefined {
  if (schema === undefined) return undefined;
  const { value } = resolve(schema.value, schema.root);
  const inside = member(value, 'contentMediaType');
  if (typeof inside === 'string' && mediaKind(inside) === 'image') return 'image';
  const isFile = typeof inside === 'string' && mediaKind(inside) === 'binary';
  return isFile || member(value, 'format') === 'binary' ? 'binary-download' : undefined;
}

const SHAPING = ['properties', 'allOf', 'anyOf', 'oneOf', 'enum', 'items', 'prefixItems'];

/** Any object, or anything at all. */
function isFreeForm({ value: written, root }: Located): boolean {
  const { value } = resolve(written, root);
  const schema = asObject(value);
  if (schema === undefined) return value !== false;
  const { type = 'object', additionalProperties } = schema;
  if (type !== 'object' || additionalProperties === false) return false;
  return SHAPING.every((keyword) => isEmpty(schema[keyword]));
}

function isEmpty(value: unknown): boolean {
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0;
}

/** `orders.archive.place` and `placeArchiveOrder` as words. */
function toWords(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** `Orders Archive Place` */
export function toTitle(name: string): string {
  return toWords(name).map(capitalize).join(' ');
}

/** `Note id, in the path.` */
export function describeParameter(name: string, place: string): string {
  const words = toWords(name).join(' ').toLowerCase();
  return `${capitalize(words) || name}, in the ${place}.`;
}

export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
