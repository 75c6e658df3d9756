/** The hash that a pin holds, over the canonical text of a definition. */
import { createHash } from 'node:crypto';
import { toCanonicalJson } from '../../lib/canonical-json.ts';
import { toDefinition } from './tool-definition.ts';

/** Never throws; a tool that is not whole JSON gets a hash that tells little. */
export function hashDefinition(tool: unknown): string {
  return hashText(toCanonicalJson(toDefinition(tool).definition));
}

export function hashText(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
