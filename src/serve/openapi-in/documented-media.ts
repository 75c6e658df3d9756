/** The media types that a document promises for what an endpoint takes and for its successes. */
import type { Endpoint } from './endpoints.ts';
import { asObject, member } from './json.ts';
import { mediaKind } from './media-types.ts';
import type { Located } from './reference.ts';
import { locate, resolve } from './reference.ts';

export interface Media {
  readonly mediaType: string;
  /** As it is written, before its own `$ref` is followed. */
  readonly schema: Located | undefined;
}

/** One entry for each documented 2xx answer: the media types it may come in, none when empty. */
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
