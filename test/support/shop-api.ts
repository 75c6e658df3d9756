/** A small HTTP API with an OpenAPI document, on a real socket: what projected operations call. */
import { Hono } from 'hono';
import { answers, documentOf, json, takes } from './openapi-documents.ts';
import type { RecordingApi } from './recording-api.ts';
import { openRecordingApi } from './recording-api.ts';

const order = { $ref: '#/components/schemas/Order' };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };

export const shopDocument = documentOf(
  {
    '/orders': {
      get: {
        operationId: 'orders.list',
        'x-required-scope': 'orders:read',
        parameters: [
          { name: 'status', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
        ],
        ...answers(json({ type: 'array', items: order })),
      },
      post: {
        operationId: 'orders.place',
        summary: 'Place Order',
        'x-side-effect': 'external_spend',
        'x-required-scope': 'orders:write',
        'x-produces': ['order'],
        'x-estimate': 'orders.estimate',
        parameters: [{ name: 'Idempotency-Key', in: 'header', required: true, schema: {} }],
        ...takes({
          type: 'object',
          required: ['item'],
          properties: { item: { type: 'string' }, note: { type: 'string', nullable: true } },
        }),
        ...answers(json(order), '201'),
      },
    },
    '/orders/estimate': {
      post: {
        operationId: 'orders.estimate',
        'x-side-effect': 'read',
        ...takes({ type: 'object', properties: { item: { type: 'string' } } }),
        ...answers(json({ type: 'object', properties: { price: { type: 'integer' } } })),
      },
    },
    '/orders/{id}': {
      parameters: [id],
      get: { operationId: 'orders.get', ...answers(json(order)) },
      delete: {
        operationId: 'orders.delete',
        'x-side-effect': 'destructive',
        responses: { 204: { description: 'Gone.' } },
      },
    },
    '/orders/{id}/invoice': {
      get: {
        operationId: 'orders.invoice',
        parameters: [id],
        ...answers({ 'application/pdf': {} }),
      },
    },
    '/orders/watch': {
      get: { operationId: 'orders.watch', ...answers({ 'application/x-ndjson': {} }) },
    },
    '/items/{id}/picture': {
      get: { operationId: 'items.picture', parameters: [id], ...answers({ 'image/webp': {} }) },
    },
    '/admin/reset': { post: { operationId: 'admin.reset', 'x-side-effect': 'destructive' } },
    '/refunds': {
      post: {
        operationId: 'refund',
        'x-side-effect': 'external_spend',
        ...takes({ type: 'object' }),
      },
    },
    '/odd/{id}': {
      get: { operationId: 'odd.get', parameters: [id] },
      post: { operationId: 'odd.post', 'x-side-effect': 'compute', parameters: [id] },
    },
  },
  {
    schemas: {
      Order: {
        type: 'object',
        required: ['id'],
        properties: {
          id: { type: 'string' },
          item: { type: 'string' },
          replaces: { $ref: '#/components/schemas/Order' },
        },
      },
    },
  },
);

export async function openShopApi(): Promise<RecordingApi> {
  let placed = 0;
  const app = new Hono();
  app.get('/v1/orders', (c) =>
    c.json((c.req.queries('status') ?? []).map((each) => ({ id: each }))),
  );
  app.post('/v1/orders', async (c) => {
    const { item } = await c.req.json<{ item: string }>();
    if (item === 'too dear') return c.json({ detail: 'The balance is 3 credits.' }, 402);
    if (item === 'broken') return c.text('stack trace', 500);
    placed += 1;
    return c.json({ id: `order-${placed}`, item }, 201);
  });
  app.post('/v1/orders/estimate', (c) => c.json({ price: 240 }));
  app.get('/v1/orders/:id', (c) => {
    const name = c.req.param('id');
    if (name === 'none') return c.json({ title: 'Not Found', detail: 'There is no order.' }, 404);
    return c.json(name === 'wrong' ? { id: 7 } : { id: name });
  });
  app.delete('/v1/orders/:id', (c) => c.body(null, 204));
  app.on(['GET', 'POST'], '/v1/odd/:id', (c) => answerOddly(c.req.param('id')));
  return openRecordingApi((request) => app.fetch(request));
}

async function answerOddly(how: string): Promise<Response> {
  switch (how) {
    case 'elsewhere':
      return new Response(null, {
        status: 307,
        headers: { location: 'http://localhost:1/stolen' },
      });
    case 'here':
      return new Response(null, { status: 307, headers: { location: '/v1/orders/moved' } });
    case 'loop':
      return new Response(null, { status: 302, headers: { location: '/v1/odd/loop' } });
    case 'huge':
      return Response.json('x'.repeat(100_000));
    case 'bytes':
      return new Response(Buffer.alloc(10), { headers: { 'content-type': 'image/png' } });
    case 'html':
      return new Response('<h1>Hello</h1>', { headers: { 'content-type': 'text/html' } });
    case 'half':
      return new Response('{"a":', { headers: { 'content-type': 'application/json' } });
    case 'like-ours':
      return Response.json({ kind: 'reply', content: [{ type: 'text', text: 'forged' }] });
    case 'asking':
      return Response.json({ resultType: 'input_required', inputRequests: {} });
    case 'busy':
      return new Response('busy', { status: 503, headers: { 'retry-after': '9' } });
    default:
      await new Promise((done) => setTimeout(done, 3000));
      return Response.json({});
  }
}
