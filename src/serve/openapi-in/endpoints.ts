/**
 * Walks the paths of a document and returns each method of each path as one endpoint, without judging
 * it.
 */
import { META_KEYS } from '../../effect/meta-keys.ts';
import type { Refusal } from './finding.ts';
import { Refused } from './finding.ts';
import type { OverlayEntry } from './overlay.ts';
import type { Json } from './reference.ts';
import { asList, asObject, asText, isTextList, member, resolve } from './reference.ts';

export interface Endpoint {
  readonly method: string;
  readonly path: string;
  /** The operationId. */
  readonly id?: string;
  /** `GET /notes/{id}` */
  readonly label: string;
  readonly operation: Json;
  /** Parameters that all methods of the path share. */
  readonly shared: readonly unknown[];
}

interface Endpoints {
  readonly endpoints: readonly Endpoint[];
  readonly refused: readonly Refusal[];
}

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'trace'] as const;

export function readEndpoints(document: unknown): Endpoints {
  const paths = asObject(member(document, 'paths'));
  if (!/^3\.\d/.test(String(member(document, 'openapi'))) || paths === undefined) {
    const sentence = 'This is not an OpenAPI 3 document; it needs "openapi": "3.…" and "paths".';
    return {
      endpoints: [],
      refused: [{ operation: 'document', code: 'document-unreadable', sentence }],
    };
  }
  const endpoints: Endpoint[] = [];
  const refused: Refusal[] = [];
  for (const [path, value] of Object.entries(paths)) {
    if (path.startsWith('x-')) continue;
    try {
      const item = readPath(path, value, document);
      for (const method of METHODS.filter((name) => Object.hasOwn(item, name))) {
        const label = `${method.toUpperCase()} ${path}`;
        const operation = asObject(item[method]);
        if (operation === undefined) refused.push(unreadable(label));
        else endpoints.push(toEndpoint({ method, path, label, operation }, item));
      }
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refused.push({ operation: path, endpoint: path, code: error.code, sentence: error.message });
    }
  }
  return { endpoints, refused };
}

function readPath(path: string, value: unknown, document: unknown): Json {
  if (!isPlain(path.replaceAll(/\{[^{}]*\}/g, 'x'))) {
    throw new Refused(
      'path-not-allowed',
      'A path begins with "/" and is written as it is sent: encoded, without query, "." or "..".',
    );
  }
  const item = asObject(resolve(value, document).value);
  if (item !== undefined) return item;
  throw new Refused('endpoint-unreadable', 'The path is not an object of methods; write one.');
}

/** Whether a URL has this path exactly as it is written. */
function isPlain(path: string): boolean {
  const url = path.startsWith('/') ? URL.parse(`http://host${path}`) : null;
  return url !== null && url.pathname === path && url.search === '' && url.hash === '';
}

function toEndpoint(found: Omit<Endpoint, 'shared' | 'id'>, item: Json): Endpoint {
  const id = asText(member(found.operation, 'operationId'));
  return { ...found, shared: asList(item['parameters']), ...(id !== undefined && { id }) };
}

function unreadable(label: string): Refusal {
  const sentence = 'The operation is not an object; describe it, or remove the method.';
  return { operation: label, endpoint: label, code: 'endpoint-unreadable', sentence };
}

/**
 * The `x-` members of an operation that the kit understands. An invalid one is refused, since it may be
 * a safeguard.
 */
interface Extensions {
  readonly scopes: readonly string[];
  readonly produces: readonly string[];
  readonly estimate: string | undefined;
}

const ESTIMATE = 'x-estimate';

export function readExtensions({ operation }: Endpoint, overlay: OverlayEntry): Extensions {
  const scope = overlay.scope ?? member(operation, META_KEYS.requiredScope.key);
  const produces = overlay.produces ?? member(operation, META_KEYS.produces.key);
  const estimate = overlay.estimate ?? member(operation, ESTIMATE);
  return {
    scopes: toTexts(scope, META_KEYS.requiredScope.key),
    produces: toTexts(produces, META_KEYS.produces.key),
    estimate: toTexts(estimate, ESTIMATE)[0],
  };
}

/** A list, or a space-separated string. */
function toTexts(said: unknown, key: string): readonly string[] {
  if (said === undefined) return [];
  if (typeof said === 'string') return said.split(/\s+/).filter((part) => part !== '');
  if (isTextList(said)) return said;
  throw new Refused('extension-invalid', `${key} must be a string or a list of strings; fix it.`);
}
