/** The conventions whose hints tell a tier, by name, for operators who say that a server follows one. */
import type { Convention } from '../convention.ts';
import { geopera } from './geopera.ts';

export type TellingConvention = keyof typeof TELLING_CONVENTIONS;

export const TELLING_CONVENTIONS = Object.freeze({ geopera }) satisfies Readonly<
  Record<string, Convention>
>;
