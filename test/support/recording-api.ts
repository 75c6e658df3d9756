/** An HTTP API on a loopback socket that answers as it is told and keeps every request. */
import { serve } from '@hono/node-server';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RecordingApi extends AsyncDisposable {
  /** Its base URL, with the path `/v1`. */
  readonly url: string;
  /** Every request that arrived. */
  readonly seen: readonly Seen[];
}

export async function openRecordingApi(
  answer: (request: Request) => Response | Promise<Response>,
): Promise<RecordingApi> {
  const seen: Seen[] = [];
  const { promise, resolve } = Promise.withResolvers<number>();
  const receive = async (request: Request) => {
    const { method, url, headers } = request;
    const body = await request.clone().text();
    seen.push({ method, url, headers: Object.fromEntries(headers), body });
    return answer(request);
  };
  const node = serve({ fetch: receive, hostname: '127.0.0.1', port: 0 }, ({ port }) =>
    resolve(port),
  );
  const url = `http://127.0.0.1:${await promise}/v1`;
  const close = () => new Promise<void>((done) => void node.close(() => done()));
  return {
    url,
    seen,
    [Symbol.asyncDispose]: async () => {
      if ('closeAllConnections' in node) node.closeAllConnections();
      await close();
    },
  };
}
