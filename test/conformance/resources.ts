/** The resources of the suite: text, bytes, a template, and one that can be watched. */
import type { McpServer } from '@modelcontextprotocol/server';
import { ResourceTemplate } from '@modelcontextprotocol/server';
import { RED_PIXEL } from './samples.ts';

export const WATCHED_URI = 'test://watched-resource';

export function registerResources(server: McpServer, readWatched: () => string): void {
  const text = { mimeType: 'text/plain' };
  server.registerResource(
    'static-text',
    'test://static-text',
    { ...text, description: 'A line of text.' },
    ({ href }) => ({
      contents: [{ uri: href, ...text, text: 'This is the content of the static text resource.' }],
    }),
  );
  server.registerResource(
    'static-binary',
    'test://static-binary',
    { mimeType: RED_PIXEL.mimeType, description: 'A picture of one pixel.' },
    ({ href }) => ({
      contents: [{ uri: href, mimeType: RED_PIXEL.mimeType, blob: RED_PIXEL.data }],
    }),
  );
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { mimeType: 'application/json', description: 'Data by its id.' },
    ({ href }, { id }) => ({
      contents: [
        {
          uri: href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  );
  server.registerResource(
    'watched',
    WATCHED_URI,
    { ...text, description: 'Changes together with the list of prompts.' },
    ({ href }) => ({ contents: [{ uri: href, ...text, text: readWatched() }] }),
  );
}

/** Subscriptions of one session of the 2025 revisions; 2026-07-28 has them in the SDK. */
export function watchResources(server: McpServer): ReadonlySet<string> {
  const watched = new Set<string>();
  server.server.setRequestHandler('resources/subscribe', ({ params }) => {
    watched.add(params.uri);
    return {};
  });
  server.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    watched.delete(params.uri);
    return {};
  });
  return watched;
}
