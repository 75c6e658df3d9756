/**
 * The apps' REST APIs, which no package brings: a server on loopback answers in their format, and what
 * is requested is held against the recorded endpoints.
 */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestGroupware } from '../test-groupware.ts';
import { openTestGroupware } from '../test-groupware.ts';
import { openNextcloud } from './open-nextcloud.ts';
import cases from './rest.cases.json' with { type: 'json' };

const NOTE = {
  id: 7,
  title: 'N',
  content: 'c',
  category: '',
  modified: 1_770_000_000,
  etag: 'tag',
};
const LABEL = { id: 4, boardId: 1, title: 'L', color: '000000', ETag: 'e' };
const BOARD = { id: 1, title: 'B', color: '000000', owner: { uid: 'mara' }, labels: [LABEL] };
const CARD = { id: 3, stackId: 2, title: 'C', order: 1, owner: 'mara', labels: [{ id: 4 }] };
const STACK = { id: 2, boardId: 1, title: 'S', order: 1, cards: [CARD] };
const ROW = { id: 9, tableId: 5, data: [{ columnId: 1, value: 'x' }] };
const SHARE = {
  id: '6',
  path: '/f.txt',
  share_type: 3,
  permissions: 1,
  uid_owner: 'mara',
  stime: 1_770_000_000,
  url: 'https://cloud.example/s/abc',
};
const RECIPE = { id: '8', name: 'Soup', recipeIngredient: ['a'], keywords: 'x,y' };
const CONFIG = { folder: '/Recipes', update_interval: '5', print_image: true };
const ITEM = {
  id: 11,
  feedId: 1,
  title: 'I',
  pubDate: 1_770_000_000,
  unread: true,
  starred: false,
};
const ocs = (data: unknown): object => ({ ocs: { data } });

/** What the server answers, by method and path; the first that fits. */
const ANSWERS: readonly [RegExp, unknown][] = [
  [/^GET .*\/notes$/, [NOTE]],
  [/\/notes/, NOTE],
  [/^GET .*\/boards$/, [BOARD]],
  [/^GET .*\/stacks$/, [STACK]],
  [/\/labels/, LABEL],
  [/\/cards/, CARD],
  [/\/stacks/, STACK],
  [/\/boards/, BOARD],
  [/\/api\/2\/tables$/, ocs([{ id: 5, title: 'T' }])],
  [/\/scheme$/, { columns: [{ id: 1, title: 'A', type: 'text' }] }],
  [/\/api\/2\/.*\/rows$/, ocs(ROW)],
  [/^GET .*\/rows/, [ROW]],
  [/\/rows/, ROW],
  [/^GET .*\/shares(\?.*)?$/, ocs([SHARE])],
  [/\/shares/, ocs(SHARE)],
  [/^GET .*\/(recipes|search\/.*)$/, [{ recipe_id: '8' }]],
  [/^POST .*\/recipes$/, 8],
  [/\/config$/, CONFIG],
  [/\/(recipes|import)/, RECIPE],
  [/\/folders$/, { folders: [{ id: 1, name: 'F' }] }],
  [/\/feeds$/, { feeds: [{ id: 1, title: 'F', url: 'https://f.example' }] }],
  [/\/items/, { items: [ITEM] }],
  [/\/status$/, { version: '25', warnings: { improperlyConfiguredCron: true } }],
];

let groupware: TestGroupware;
let requests: { readonly line: string; readonly body: unknown; readonly match?: string }[] = [];
/** The answer to requests of one method; the others succeed. */
let failing: { readonly method: string; readonly status: number } | undefined;

const server = createServer((request, response) => void answer(request, response));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const line = `${request.method} ${request.url}`;
  const hasBody = request.headers['content-type'] !== undefined;
  const match = request.headers['if-match'];
  const body = hasBody ? await json(request) : undefined;
  requests.push({ line, body, ...(match !== undefined && { match }) });
  const { method = '', status = 200 } = failing ?? {};
  response.writeHead(request.method === method ? status : 200);
  const known = ANSWERS.find(([pattern]) => pattern.test(line));
  response.end(known === undefined ? '' : JSON.stringify(known[1]));
}

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  groupware = await openTestGroupware({
    openBackend: () => openNextcloud({ url, user: 'mara', appPassword: 'secret' }),
  });
});
afterAll(async () => {
  await groupware[Symbol.asyncDispose]();
  server.close();
});

describe('a server that answers badly', () => {
  it.each([
    ['breaks off', '{"id": 7, "ti', true],
    ['shows its login page', '<html>Sign in</html>', false],
  ])('and %s leaves a write open, and a read failed', async (_, body, isCut) => {
    const bad = createServer((request, response) => {
      response.writeHead(200, { 'content-length': isCut ? 1000 : body.length });
      response.write(body);
      if (isCut) setTimeout(() => request.socket.destroy(), 20);
      else response.end();
    });
    await once(bad.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(bad.address() as AddressInfo).port}`;
    await using cut = await openTestGroupware({
      openBackend: () => openNextcloud({ url, user: 'mara', appPassword: 'secret' }),
    });
    const note = { title: 'N', content: 'c', category: '' };
    const write = await cut.call('nc_notes_create_note', note);
    expect([write.status, write.body['code']]).toEqual([504, 'outcome-doubtful']);
    const read = await cut.call('nc_notes_get_note', { note_id: 7 });
    expect([read.status, read.body['code']]).toEqual([503, 'unavailable']);
    bad.close();
  });
});

describe('the apps of a Nextcloud', () => {
  it.each(cases)('$tool requests $requests', async ({ tool, args, requests: expected }) => {
    requests = [];
    failing = undefined;
    const called = await groupware.call(tool, args);
    expect([called.status, called.body]).toEqual([200, called.body]);
    expect(requests.map(({ line }) => line)).toEqual(expected);
  });

  it('get the etag of an update as If-Match, and a refusal comes back with the current one', async () => {
    requests = [];
    failing = undefined;
    const update = { note_id: 7, etag: 'old', title: 'X' };
    await groupware.call('nc_notes_update_note', update);
    expect(requests).toMatchObject([{ match: '"old"', body: { title: 'X' } }]);
    failing = { method: 'PUT', status: 412 };
    const refused = await groupware.call('nc_notes_update_note', update);
    expect([refused.status, refused.body['current']]).toEqual([412, NOTE.etag]);
  });

  it.each([
    [403, 403],
    [404, 404],
    [409, 409],
    [413, 413],
    [429, 429],
    [500, 503],
  ])('that answer a read with %i are reported as %i', async (theirs, ours) => {
    failing = { method: 'GET', status: theirs };
    const called = await groupware.call('nc_notes_get_note', { note_id: 7 });
    expect(called.status).toBe(ours);
  });

  it('that have no space left have stored nothing', async () => {
    failing = { method: 'POST', status: 507 };
    const note = { title: 'N', content: 'c', category: '' };
    const called = await groupware.call('nc_notes_create_note', note);
    expect([called.status, called.body['code']]).toEqual([413, 'payload-too-large']);
  });

  it.each(['a\nb', '→', '\0'])('are not asked under the etag %j', async (etag) => {
    requests = [];
    failing = undefined;
    const called = await groupware.call('nc_notes_update_note', { note_id: 7, etag, title: 'X' });
    expect(requests.map(({ line }) => line)).not.toContain('PUT /apps/notes/api/v1/notes/7');
    expect([called.status, called.body['code']]).toEqual([422, 'invalid-input']);
  });

  it('never show the address of a link again', async () => {
    failing = undefined;
    const made = await groupware.call('nc_share_create', {
      path: 'f.txt',
      share_with: '',
      share_type: 3,
    });
    expect(made.body['url']).toBe(SHARE.url);
    for (const [name, args] of [
      ['nc_share_get', { share_id: 6 }],
      ['nc_share_list', {}],
    ] as const) {
      expect(JSON.stringify((await groupware.call(name, args)).body)).not.toContain(SHARE.url);
    }
  });
});
