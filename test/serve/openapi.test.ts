/** The OpenAPI document that a running server gives is one by the specification's own schema. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { openHttp } from 'plimsoll/server';
import { expect, it } from 'vitest';
import createCatalog from '../../examples/catalog/server.ts';
import { notesServer } from '../support/notes-server.ts';

it.each([
  ['notes', () => notesServer().server],
  ['catalog', () => createCatalog()],
])('/openapi.json of %s is valid OpenAPI 3.1', async (_, create) => {
  const server = create();
  await using http = await openHttp(server);
  const document = (await (await fetch(`${http.url}/openapi.json`)).json()) as Record<
    string,
    object
  >;
  const validator = new Validator();
  expect(await validator.validate(document)).toMatchObject({ valid: true });
  expect(validator.version).toBe('3.1');
  expect(Object.keys(document['paths'] ?? {})).toHaveLength(server.operations.size);
});
