/** Ends a stream when the token that opened it expires; whoever still may listen opens another. */
import type { Identity } from '../../invoke/identity.ts';

const LONGEST_TIMER_MS = 2 ** 31 - 1;

export function untilExpiry(response: Response, identity: Identity): Response {
  const expiresAt = identity.kind === 'known' ? identity.principal.expiresAt : undefined;
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  if (expiresAt === undefined || response.body === null || !isStream) return response;
  const { status, headers } = response;
  return new Response(endingAt(response.body, expiresAt * 1000), { status, headers });
}

function endingAt(body: ReadableStream<Uint8Array>, at: number): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const ms = Math.min(Math.max(at - Date.now(), 0), LONGEST_TIMER_MS);
      timer = setTimeout(() => {
        isOver = true;
        controller.close();
        reader.cancel().catch(() => {});
      }, ms).unref();
    },
    async pull(controller) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        // The stream that is made of it fails too, and can no longer be closed.
        clearTimeout(timer);
        throw error;
      });
      if (isOver) return;
      if (!done) {
        controller.enqueue(value);
        return;
      }
      clearTimeout(timer);
      controller.close();
    },
    async cancel(reason) {
      isOver = true;
      clearTimeout(timer);
      await reader.cancel(reason);
    },
  });
}
