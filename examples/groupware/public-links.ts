/** Serves what public links open, on loopback: a file as a download, a directory as a list of names. */
import type { Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ProblemError } from 'plimsoll/server';
import type { Files } from './backend.ts';
import { nameOf } from './file-path.ts';

export interface PublicLinks extends AsyncDisposable {
  /** Without a trailing slash. */
  readonly url: string;
}

export interface PublicLinksInit {
  /** What a token opens, or `undefined` for one that is unknown or no longer valid. */
  readonly open: (token: string) => { readonly files: Files; readonly path: string } | undefined;
  readonly report: (message: string, cause: unknown) => void;
}

export async function openPublicLinks({ open, report }: PublicLinksInit): Promise<PublicLinks> {
  const server: Server = createServer((request, response) => {
    const token = /^\/s\/([\w-]+)$/.exec(request.url ?? '')?.[1];
    const opened = token === undefined ? undefined : open(token);
    if (opened === undefined || request.method !== 'GET') {
      response.writeHead(404).end('This link does not exist, or is no longer valid.\n');
      return;
    }
    answer(opened.files, opened.path, response).catch((error: unknown) => {
      if (!(error instanceof ProblemError)) report('a public link could not be served', error);
      response.writeHead(404).end('What this link leads to does not exist any more.\n');
    });
  });
  // Links do not keep the program from ending.
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve).unref());
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

async function answer(files: Files, path: string, response: ServerResponse): Promise<void> {
  const parent = path.split('/').slice(0, -1).join('/');
  const entry = (await files.list(parent)).find((each) => each.path === path);
  if (entry?.is_directory === true) {
    const names = (await files.list(path)).map(({ name }) => name);
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
    response.end(`${names.join('\n')}\n`);
    return;
  }
  const { content } = await files.read(path);
  const name = encodeURIComponent(nameOf(path));
  response.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''${name}`,
    'x-content-type-options': 'nosniff',
  });
  response.end(content);
}
