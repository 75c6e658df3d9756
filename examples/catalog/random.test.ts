import { expect, it } from 'vitest';
import { randomFrom } from './random.ts';

it('writes ids of twelve letters that cannot be misread', () => {
  expect(randomFrom(7).id()).toMatch(/^[aceghjkpqrtwxy346789]{12}$/);
});
