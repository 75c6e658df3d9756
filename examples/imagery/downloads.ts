/**
 * Where exported files are fetched: `GET /exports/{secret}`, once for each secret. A separate server,
 * because it serves bytes, not operations. The sandbox serves the beginning of a file.
 */
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Asset } from './item.ts';

export interface DownloadOptions {
  /** What a secret opens, the first time only. */
  readonly redeem: (secret: string) => Promise<Asset | undefined>;
  readonly report: (message: string, cause: unknown) => void;
}

export interface Downloads extends AsyncDisposable {
  readonly url: string;
}

const MOST_BYTES = 64 * 1024;

export async function openDownloads({ redeem, report }: DownloadOptions): Promise<Downloads> {
  const server = createServer((request, response) => {
    const secret = /^\/exports\/(\w{1,80})$/.exec(request.url ?? '')?.[1];
    if (request.method !== 'GET' || secret === undefined) return refuse(response);
    redeem(secret).then(
      (asset) => (asset === undefined ? refuse(response) : send(response, asset)),
      (error: unknown) => {
        report('a download failed', error);
        response.writeHead(503).end();
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  // It must not keep the process alive.
  server.unref();
  const address = server.address() as AddressInfo; // it listens on a port, so this is one
  return {
    url: `http://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: async () => {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
}

/** Used, expired, mistyped and deleted look the same. */
function refuse(response: ServerResponse): void {
  response.writeHead(404, { 'cache-control': 'no-store' }).end();
}

function send(response: ServerResponse, { id, media_type, bytes }: Asset): void {
  const length = Math.min(bytes, MOST_BYTES);
  response.writeHead(200, {
    'content-type': media_type,
    'content-length': length,
    'cache-control': 'no-store',
  });
  response.end(Buffer.alloc(length, id));
}
