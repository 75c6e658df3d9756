import { describe, expect, it } from 'vitest';
import {
  answers,
  documentOf,
  endings,
  json,
  project,
  projectOne,
  takes,
} from '../../../test/support/openapi-documents.ts';

describe('toInput', () => {
  const parameter = (name: string, place: string, more = {}) => ({
    name,
    in: place,
    schema: { type: 'string' },
    ...more,
  });

  it('merges parameters and body, required ones required, and takes no others', () => {
    const { inputSchema } = projectOne(
      {
        parameters: [parameter('id', 'path'), parameter('dry', 'query', { required: true })],
        'x-side-effect': 'compute',
        ...takes({
          type: 'object',
          required: ['text'],
          properties: { text: { type: 'string' }, tag: { type: 'string' } },
        }),
      },
      { path: '/notes/{id}', method: 'put' },
    );
    expect(inputSchema).toMatchObject({
      type: 'object',
      required: ['id', 'dry', 'text'],
      additionalProperties: false,
    });
    expect(Object.keys(inputSchema['properties'] as object)).toEqual(['id', 'dry', 'text', 'tag']);
  });

  it('lets a method say otherwise what the path says for all', () => {
    const document = documentOf({
      '/things': {
        parameters: [parameter('q', 'query', { description: 'Old' })],
        get: { operationId: 'one', parameters: [parameter('q', 'query', { description: 'New' })] },
      },
    });
    expect(project(document).operations[0]?.inputSchema).toMatchObject({
      properties: { q: { description: 'New' } },
    });
  });

  const body = { type: 'object', properties: { id: { type: 'string' } } };

  it.each([
    ['a field has a parameter’s name', body],
    ['it is a list', { type: 'array', items: { type: 'string' } }],
    ['it is one of several', { oneOf: [body, { type: 'string' }] }],
    ['it takes more than it names', { ...body, additionalProperties: true }],
    ['a field has a name that clients refuse', { ...body, properties: { 'a b': {} } }],
  ])('takes the body as one argument when %s', (_, schema) => {
    const made = projectOne(
      { parameters: [parameter('id', 'query')], 'x-side-effect': 'compute', ...takes(schema) },
      { method: 'post' },
    );
    expect(Object.keys(made.inputSchema['properties'] as object)).toEqual(['id', 'body']);
    expect(made.inputSchema).toMatchObject({ required: ['body'] });
  });

  it('refuses two arguments of one name', () => {
    const get = {
      operationId: 'one',
      parameters: [parameter('id', 'query'), parameter('id', 'header')],
    };
    expect(endings(project(documentOf({ '/a': { get } })))).toEqual({ one: 'name-collision' });
  });

  it('gives names that clients would refuse a plain form', () => {
    const made = projectOne({ parameters: [parameter('filter[status]', 'query')] });
    expect(made.inputSchema).toHaveProperty('properties.filter_status');
  });

  it('has no argument for credentials, cookies, or headers of the connection', () => {
    const made = projectOne(
      {
        parameters: [
          parameter('Authorization', 'header'),
          parameter('Host', 'header'),
          parameter('x-api-key', 'header'),
          parameter('token', 'query'),
          parameter('X-Tenant', 'header'),
          parameter('session', 'cookie'),
          parameter('q', 'query'),
        ],
      },
      {
        headers: { 'x-tenant': 'acme' },
        components: {
          securitySchemes: {
            a: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
            b: { type: 'apiKey', in: 'query', name: 'token' },
          },
        },
      },
    );
    expect(Object.keys(made.inputSchema['properties'] as object)).toEqual(['q']);
  });

  it('has no body with GET', () => {
    const made = projectOne(takes({ type: 'object', properties: { a: {} } }));
    expect(made.inputSchema['properties']).toEqual({});
  });

  it('asks for no field that only answers have', () => {
    const made = projectOne(
      {
        'x-side-effect': 'compute',
        ...takes({
          type: 'object',
          required: ['id', 'text'],
          properties: { id: { type: 'string', readOnly: true }, text: { type: 'string' } },
        }),
      },
      { method: 'post' },
    );
    expect(made.inputSchema).toMatchObject({ required: ['text'] });
    expect(made.inputSchema).not.toHaveProperty('properties.id');
  });

  it('describes every argument, plainly where the document does not', () => {
    const made = projectOne(
      {
        parameters: [
          { name: 'note_id', in: 'path', required: true, schema: { type: 'integer' } },
          { name: 'pageSize', in: 'query', schema: { $ref: '#/components/schemas/Size' } },
          { name: 'X-Trace', in: 'header', description: 'For the log', schema: {} },
        ],
        'x-side-effect': 'compute',
        ...takes({ type: 'object', properties: { dueDate: { type: 'string' } } }),
      },
      {
        path: '/notes/{note_id}',
        method: 'put',
        components: { schemas: { Size: { type: 'integer', description: 'How many' } } },
      },
    );
    expect(made.inputSchema).toMatchObject({
      properties: {
        note_id: { description: 'Note id, in the path.' },
        pageSize: { description: 'How many', $ref: '#/$defs/Size' },
        'X-Trace': { description: 'For the log' },
        dueDate: { description: 'Due date, in the body.' },
      },
    });
  });
});

describe('toOutput', () => {
  const pet = { type: 'object', properties: { name: { type: 'string' } } };

  it.each(['200', '201', '202'])('has the schema of an object that comes with %s', (status) => {
    expect(projectOne(answers(json(pet), status)).outputSchema).toEqual(pet);
  });

  it.each([
    ['a list', answers(json({ type: 'array', items: pet }))],
    ['something that may be null', answers(json({ ...pet, nullable: true }))],
    ['text', answers({ 'text/plain': { schema: { type: 'string' } } })],
    ['nothing', { responses: { 204: { description: 'Done.' } } }],
    [
      'an object or nothing',
      { responses: { 200: { content: json(pet) }, 204: { description: 'Gone.' } } },
    ],
    [
      'one object or another',
      { responses: { 200: { content: json(pet) }, 201: { content: json({ type: 'object' }) } } },
    ],
  ])('has no schema for %s', (_, operation) => {
    expect(projectOne(operation).outputSchema).toBeUndefined();
  });

  it('says that parts of an object make an object', () => {
    const made = projectOne(answers(json({ allOf: [{ $ref: '#/components/schemas/Pet' }] })), {
      components: { schemas: { Pet: pet } },
    });
    expect(made.outputSchema).toEqual({
      type: 'object',
      allOf: [{ $ref: '#/$defs/Pet' }],
      $defs: { Pet: pet },
    });
  });
});
