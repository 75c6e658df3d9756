/** Server-sent events: how the queue stands, whenever it changes. Tells that something changed, never what. */
import type { Context, Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import { streamSSE } from 'hono/streaming';
import type { Sessions } from '../door/sessions.ts';
import type { Env } from '../env.ts';
import type { QueueState, QueueWatch } from '../queue-watch.ts';

export interface EventOptions {
  readonly watch: QueueWatch;
  readonly sessions: Sessions;
  readonly cookie: (context: Context) => string;
}

/** Shorter than what proxies allow a silent connection. */
const BEAT_MS = 15_000;

export function registerEvents(app: Hono<Env>, { watch, sessions, cookie }: EventOptions): void {
  app.get('/api/events', (context) => {
    // Of a stream that nobody reads nobody would hear that it ended.
    if (context.req.method === 'HEAD') return context.body(null);
    const token = getCookie(context, cookie(context));
    return streamSSE(context, async (stream) => {
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      const tell = (state: QueueState): void => {
        void stream.writeSSE({ event: 'approvals', data: JSON.stringify(state) });
      };
      const beat = setInterval(() => {
        // Scripts with a token have no session that could end.
        if (token !== undefined && !sessions.isLive(token)) end();
        else void stream.write(': still here\n\n');
      }, BEAT_MS);
      const stop = watch.listen({ changed: tell, ended: end });
      stream.onAbort(end);
      await ended;
      clearInterval(beat);
      stop();
    });
  });
}
