import { describe, expect, it } from 'vitest';
import { answers, json, projectOne } from '../../../test/support/openapi-documents.ts';

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
