/** The imagery API's own OpenAPI document, projected back into tools, says what the native server says. */
import { geopera, projectOpenApi, stamp } from 'plimsoll/server';
import { expect, it } from 'vitest';
import { openTestShop } from '../../examples/imagery/test-shop.ts';

it('R60 R162: every operation comes back under its own id with the same stamp', async () => {
  await using shop = await openTestShop();
  const document: unknown = await (await fetch(`${shop.http.url}/openapi.json`)).json();
  const { operations, excluded, refused } = projectOpenApi(document, { baseUrl: shop.http.url });
  expect([excluded, refused]).toEqual([[], []]);
  const native = [...shop.server.operations.values()];
  const stamps = (all: typeof native) =>
    Object.fromEntries(all.map((operation) => [operation.name, stamp(operation, geopera)]));
  expect(native.length).toBeGreaterThanOrEqual(45);
  expect(stamps([...operations])).toEqual(stamps(native));
});
