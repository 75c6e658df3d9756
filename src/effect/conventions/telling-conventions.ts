/** The conventions whose hints tell a tier, by name, for operators who say that a server follows one. */
import type { Convention } from '../convention.ts';
import { geopera } from './geopera.ts';

export type TellingConvention = 'geopera';

export const TELLING_CONVENTIONS: Readonly<Record<TellingConvention, Convention>> = Object.freeze({
  geopera,
});
