import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { META_KEYS } from '../../effect/meta-keys.ts';
import { hashDefinition } from './tool-definition.ts';

const tool = {
  name: 'add_note',
  title: 'Add a note',
  description: 'Adds a note.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  outputSchema: { type: 'object' },
  annotations: { destructiveHint: false },
  _meta: { [META_KEYS.sideEffect.key]: 'compute' },
};

describe('hashDefinition', () => {
  it('is the same on every machine', () => {
    expect(hashDefinition({ name: 'ping' })).toBe(
      // echo -n '{"name":"ping"}' | sha256sum
      'sha256:3f1b5ce7170804143ea6c840825f11e1fce1aed30dba5b7f0d83220f84066889',
    );
  });

  it.each([
    ['name', { name: 'add_notes' }],
    ['title', { title: 'Add' }],
    ['description', { description: 'Adds notes.' }],
    ['inputSchema', { inputSchema: { type: 'object' } }],
    ['outputSchema', { outputSchema: { type: 'object', properties: {} } }],
    ['annotations', { annotations: {} }],
    ['the title there', { annotations: { destructiveHint: false, title: 'x' } }],
    ['_meta that is read', { _meta: { [META_KEYS.sideEffect.key]: 'read' } }],
  ])('covers %s', (_, change) => {
    expect(hashDefinition({ ...tool, ...change })).not.toBe(hashDefinition(tool));
  });

  it.each([
    ['icons', { icons: [{ src: 'a.png' }] }],
    ['foreign _meta', { _meta: { ...tool._meta, 'vendor/x': 1n } }],
    [
      'hints that say the default',
      { annotations: { destructiveHint: false, readOnlyHint: false } },
    ],
    ['unknown annotations', { annotations: { destructiveHint: false, audience: 'all' } }],
    ['unknown members', { execution: { taskSupport: 'optional' } }],
  ])('leaves out %s', (_, change) => {
    expect(hashDefinition({ ...tool, ...change })).toBe(hashDefinition(tool));
  });

  it('tells a member named __proto__ from none', () => {
    const odd = JSON.parse('{"name":"a","inputSchema":{"__proto__":{"x":1}}}') as unknown;
    expect(hashDefinition(odd)).not.toBe(hashDefinition({ name: 'a', inputSchema: {} }));
  });

  it('never throws', () => {
    const circle: Record<string, unknown> = {};
    circle['inputSchema'] = circle;
    const trap = new Proxy(
      {},
      {
        getOwnPropertyDescriptor: () => {
          throw new Error('trap');
        },
      },
    );
    const getter = {
      get name(): string {
        throw new Error('trap');
      },
    };
    for (const hostile of [circle, trap, getter, null, undefined, [], 7, Symbol('x'), () => 1])
      expect(hashDefinition(hostile)).toMatch(/^sha256:/);
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true }), (value) => {
        expect(hashDefinition({ name: 'x', inputSchema: value })).toMatch(/^sha256:/);
      }),
    );
  });
});
