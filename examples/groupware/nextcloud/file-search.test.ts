/** Searches of files at a server that searches itself: what it is asked, and what is made of its answer. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Files } from '../backend.ts';
import { openNextcloud } from './open-nextcloud.ts';

const ROOT = '/remote.php/dav/files/mara/';
let requests: { readonly line: string; readonly body: string }[] = [];
let canSearch = true;
let files: Files;

const entry = (path: string, props: string): string =>
  `<d:response><d:href>${ROOT}${path}</d:href><d:propstat><d:prop>${props}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`;
const DIRECTORY = '<d:resourcetype><d:collection/></d:resourcetype>';
const FILE =
  '<d:resourcetype/><d:getcontenttype>text/markdown</d:getcontenttype><d:getcontentlength>3</d:getcontentlength><d:getetag>"e"</d:getetag>';
const HITS = [
  entry('Docs/a_b.md', FILE),
  entry('Docs/axb.md', FILE),
  entry('Docs/Deep%20er/a_b.md', FILE),
];

const server = createServer((request, response) => void answer(request, response));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = (await text(request)).replaceAll(/>\s+</g, '><');
  requests.push({ line: `${request.method} ${request.url}`, body });
  const isSearch = request.method === 'SEARCH';
  if (isSearch && !canSearch) {
    response.writeHead(405).end();
    return;
  }
  const isDeep = request.headers['depth'] === '1';
  const inside = isDeep ? [entry('Docs/a_b.md', FILE), entry('Docs/axb.md', FILE)] : [];
  const found = isSearch ? HITS : [entry('Docs/', DIRECTORY), ...inside];
  response.writeHead(207, { 'content-type': 'application/xml' });
  response.end(`<d:multistatus xmlns:d="DAV:">${found.join('')}</d:multistatus>`);
}

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  ({ files } = openNextcloud({ url, user: 'mara', appPassword: 'x' }).account('mara'));
});
beforeEach(() => {
  requests = [];
  canSearch = true;
});
afterAll(() => void server.close());

it('are one request, whose answer is held against the pattern', async () => {
  const query = { scope: 'Docs', name: 'a_b%', mimeType: 'text/', onlyFavorites: false, limit: 9 };
  const hits = await files.find(query);
  expect(hits.map(({ path }) => path)).toEqual(['Docs/Deep er/a_b.md', 'Docs/a_b.md']);
  expect(requests.map(({ line }) => line)).toEqual([
    `PROPFIND ${ROOT}Docs`,
    'SEARCH /remote.php/dav/',
  ]);
  const { body = '' } = requests[1] ?? {};
  expect(body).toContain('<d:href>/files/mara/Docs</d:href>');
  expect(body).toContain(
    '<d:and><d:like><d:prop><d:displayname/></d:prop><d:literal>a_b%</d:literal></d:like><d:like><d:prop><d:getcontenttype/></d:prop><d:literal>text/%</d:literal></d:like></d:and>',
  );
  expect(body).not.toContain('nresults');
});

it.each([
  [{ onlyFavorites: true }, '<d:where><d:eq><d:prop><oc:favorite/></d:prop><d:literal>1<'],
  [{}, '<d:where><d:like><d:prop><d:displayname/></d:prop><d:literal>%<'],
  [{ name: '<&>' }, '<d:literal>&lt;&amp;&gt;<'],
  [{ mimeType: 'image/' }, '<d:limit><d:nresults>5</d:nresults></d:limit>'],
])('for %j say so', async (query, part) => {
  await files.find({ scope: 'Docs', limit: 5, ...query });
  expect(requests.at(-1)?.body).toContain(part);
});

it('walk directories where the server does not search', async () => {
  canSearch = false;
  const hits = await files.find({ scope: 'Docs', name: 'a_b.md', limit: 9 });
  expect(hits.map(({ path }) => path)).toEqual(['Docs/a_b.md']);
  expect(requests.at(-1)?.line).toBe(`PROPFIND ${ROOT}Docs`);
});
