/** Every rule, in the order in which findings are told. A test holds it against the folders. */
import type { Rule } from '../rule.ts';

export const RULES: readonly Rule[] = Object.freeze([]);
