/** A server of the kit as the tools of a table: what it sends, and the worst that each tool can do. */
import { worstTier } from '../effect/effect.ts';
import { stamp } from '../effect/stamp.ts';
import type { PlimsollServer } from './create-server.ts';
import type { TableTool } from './to-tool-tables.ts';

export function toTableTools({ operations, house }: PlimsollServer): readonly TableTool[] {
  return [...operations.values()].map((operation) => {
    const { name, title, scopes, description, effect } = operation;
    const { annotations } = stamp(operation, house);
    return { name, title, hints: annotations, scopes, description, tier: worstTier(effect) };
  });
}
