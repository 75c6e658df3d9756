import { format, inspect } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { Secret } from './secret.ts';

const TEXT = 'hunter2';
const secret = new Secret(TEXT);

describe('Secret', () => {
  it('gives the string to whoever asks for it by name', () => {
    expect(secret.reveal()).toBe(TEXT);
  });

  it.each([
    ['a template', `a ${secret as unknown as string}`.slice(2)],
    ['a sum', 'sum: '.concat(secret as unknown as string).slice(5)],
    ['String()', String(secret)],
    ['join', [secret].join('')],
    ['toString', secret.toString()],
    ['JSON', JSON.parse(JSON.stringify(secret))],
    ['JSON of what holds it', JSON.stringify({ deep: [secret] }).slice(10, -3)],
    ['inspect', inspect(secret)],
    ['format', format('%s', secret)],
    ['format as an object', format('%o', secret)],
    ['the message of an error', new Error(String(secret)).message],
  ])('shows its mark in %s', (_, shown) => {
    expect(shown).toBe('[secret]');
  });

  it.each([
    ['inspect with everything', inspect({ secret }, { showHidden: true, depth: null })],
    ['inspect of the bare object', inspect(secret, { customInspect: false, showHidden: true })],
    ['format as JSON', format('%j', secret)],
    ['structuredClone', inspect(structuredClone({ secret }))],
    ['serialize', inspect(deserialize(serialize({ secret })))],
    ['a copy by spread', inspect({ ...(secret as object) })],
    ['entries', inspect(Object.entries(secret))],
    ['own keys', inspect(Reflect.ownKeys(secret))],
    ['assign', inspect(Object.assign({}, secret))],
  ])('does not show the string in %s', (_, shown) => {
    expect(shown).not.toContain(TEXT);
  });

  it('cannot be made to hold something that shows', () => {
    expect(Object.isFrozen(secret)).toBe(true);
  });
});
