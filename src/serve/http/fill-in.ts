/** Puts the prepared bytes of a tool list into an HTTP answer that holds its stand-in. */
import type { ToolLists } from '../tool-lists.ts';

/** For an answer that ends by itself, as that to `tools/list` does. */
export async function fillIn(lists: ToolLists, response: Response): Promise<Response> {
  const body = lists.fillIn(await response.text());
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  return new Response(body, { status: response.status, headers });
}

/** For a stream that may go on. The SDK writes each event as one chunk. */
export function fillInEvents(lists: ToolLists, response: Response): Response {
  const events = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(event, controller) {
        controller.enqueue(lists.fillIn(Buffer.from(event).toString('utf8')));
      },
    }),
  );
  return new Response(events ?? null, { status: response.status, headers: response.headers });
}
