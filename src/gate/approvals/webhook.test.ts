import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toTestQuestion } from '../../../test/gate/approval-fixture.ts';
import { toApproval, toRow } from './approval.ts';
import { readWebhookAnswer, sendWebhook, signWebhook, verifyWebhook } from './webhook.ts';

const SECRET = 'a secret of some length';
const NOW = 1_800_000_000_000;
const MINUTES = 60_000;
const ANSWER = { id: 'a1', decision: 'approve', approver: 'mia', display: 'd1' };

describe('a signature', () => {
  const body = '{"ü":1}';
  const header = signWebhook(body, SECRET, NOW);

  it('has the time and a digest', () => {
    expect(header).toMatch(/^t=1800000000,v1=[\da-f]{64}$/);
    expect(verifyWebhook(body, header, SECRET, NOW)).toEqual({ kind: 'signed' });
  });

  it('holds for five minutes', () => {
    for (const off of [5 * MINUTES, -5 * MINUTES]) {
      expect(verifyWebhook(body, header, SECRET, NOW + off).kind).toBe('signed');
    }
    for (const off of [5 * MINUTES + 1, -5 * MINUTES - 1]) {
      const stale = { kind: 'refused', code: 'stale' };
      expect(verifyWebhook(body, header, SECRET, NOW + off)).toEqual(stale);
    }
  });

  it.each([
    ['another body', '{"ü":2}', header, SECRET, 'bad-signature'],
    ['another time', body, header.replace('t=18', 't=19'), SECRET, 'bad-signature'],
    ['another secret', body, header, `${SECRET}!`, 'bad-signature'],
    ['no secret', body, header, '', 'weak-secret'],
    ['no header', body, '', SECRET, 'malformed'],
    ['a second signature', body, `${header},v1=${'0'.repeat(64)}`, SECRET, 'malformed'],
    ['capitals', body, header.toUpperCase(), SECRET, 'malformed'],
    ['a line more', body, `${header}\n`, SECRET, 'malformed'],
  ])('is refused with %s', (_, text, given, secret, code) => {
    expect(verifyWebhook(text, given, secret, NOW)).toEqual({ kind: 'refused', code });
  });

  it('is not made with a secret that is none', () => {
    expect(() => signWebhook(body, 'short', NOW)).toThrow(TypeError);
  });
});

describe('an answer', () => {
  const read = (answer: unknown) => {
    const body = typeof answer === 'string' ? answer : JSON.stringify(answer);
    return readWebhookAnswer(body, signWebhook(body, SECRET, NOW), SECRET, NOW);
  };

  it('is read when it is signed', () => {
    expect(read(ANSWER)).toEqual({ kind: 'answer', answer: ANSWER });
    const wide = { ...ANSWER, grant: 'session' };
    expect(read(wide)).toEqual({ kind: 'answer', answer: wide });
    const body = JSON.stringify(ANSWER);
    const forged = readWebhookAnswer(body, signWebhook(body, `${SECRET}2`, NOW), SECRET, NOW);
    expect(forged).toEqual({ kind: 'refused', code: 'bad-signature' });
  });

  it.each([
    ['no decision', { ...ANSWER, decision: undefined }],
    ['another decision', { ...ANSWER, decision: 'yes' }],
    ['nobody', { ...ANSWER, approver: ' ' }],
    ['another scope', { ...ANSWER, grant: 'forever' }],
    ['something more', { ...ANSWER, kind: 'question' }],
    [
      'two decisions',
      '{"id":"a","decision":"decline","decision":"approve","approver":"m","display":"d"}',
    ],
    ['a list', [ANSWER]],
    ['no JSON', 'yes'],
  ])('is refused with %s', (_, answer) => {
    expect(read(answer)).toEqual({ kind: 'refused', code: 'malformed' });
  });
});

describe('sending', () => {
  const got: { readonly header: string; readonly body: string }[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/slow') return;
    if (request.url === '/away') {
      response.writeHead(307, { location: '/' }).end();
      return;
    }
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => (body += part));
    request.on('end', () => {
      got.push({ header: String(request.headers['plimsoll-signature']), body });
      response.writeHead(request.url === '/broken' ? 500 : 204).end();
    });
  });
  let base: string;

  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const approval = toApproval(toRow(toTestQuestion(), NOW));
  const edge = { fetch, now: NOW, timeoutMs: 300 };

  it('posts the card, signed', async () => {
    expect(await sendWebhook(`${base}/`, approval, SECRET, edge)).toEqual({ kind: 'sent' });
    const { header, body } = got.at(-1) ?? { header: '', body: '' };
    expect(verifyWebhook(body, header, SECRET, NOW)).toEqual({ kind: 'signed' });
    expect(JSON.parse(body)).toMatchObject({
      id: approval.id,
      display: approval.display,
      card: approval.card,
    });
    expect(readWebhookAnswer(body, header, SECRET, NOW)).toEqual({
      kind: 'refused',
      code: 'malformed',
    });
  });

  it.each(['/broken', '/slow', '/away'])('tells that %s failed', async (path) => {
    const before = got.length;
    const end = await sendWebhook(`${base}${path}`, approval, SECRET, edge);
    expect(end.kind).toBe('failed');
    expect(got.length - before).toBe(path === '/broken' ? 1 : 0);
  });

  it('tells that nobody is there', async () => {
    const end = await sendWebhook('http://127.0.0.1:1/', approval, SECRET, edge);
    expect(end.kind).toBe('failed');
  });
});
