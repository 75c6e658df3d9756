/** What kinds of media types there are for a tool: data, text, and what it cannot carry. */

export type MediaKind = 'json' | 'text' | 'image' | 'stream' | 'binary';

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
