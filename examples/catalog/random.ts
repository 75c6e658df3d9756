/** The seeded generator of the demonstration data, with ids in the format of the catalogue's public API. */
import type { Random as Numbers } from '../shared/random.ts';
import { randomFrom as numbersFrom } from '../shared/random.ts';

export interface Random extends Numbers {
  id(): string;
}

const ID_LETTERS = 'aceghjkpqrtwxy346789';
const ID_LENGTH = 12;

export function randomFrom(seed: number): Random {
  const numbers = numbersFrom(seed);
  const letter = () => ID_LETTERS[numbers.int(ID_LETTERS.length)];
  return { ...numbers, id: () => Array.from({ length: ID_LENGTH }, letter).join('') };
}
