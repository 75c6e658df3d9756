/** A server's tools as Markdown tables for its docs: one row a tool, and a list for each tier. */
import { worstTier } from '../effect/effect.ts';
import type { HintName } from '../effect/hints.ts';
import { HINT_NAMES } from '../effect/hints.ts';
import type { Operation } from '../effect/operation.ts';
import { stamp } from '../effect/stamp.ts';
import { TIER_NAMES, TIERS } from '../effect/tier.ts';
import type { PlimsollServer } from './create-server.ts';

/** Every tool with its title, the hints as sent (— is not sent) and what it does. */
export function toToolTable({ operations, house }: PlimsollServer): string {
  const head = ['Tool', 'Title', ...HINT_NAMES.map(code), 'Scope', 'What it does'];
  const rows = [...operations.values()].map((operation) => {
    const { annotations } = stamp(operation, house);
    const said = (name: HintName): string => {
      const hint = annotations[name];
      return hint === undefined ? '—' : code(String(hint));
    };
    const scopes = operation.scopes.map(code).join(' ') || '—';
    return [
      code(operation.name),
      operation.title,
      ...HINT_NAMES.map(said),
      scopes,
      operation.description,
    ];
  });
  return toTable(head, rows);
}

/** The same tools by tier, harmless first, so that they can be browsed by safety. */
export function toSafetyTable({ operations }: PlimsollServer): string {
  const byTier = Map.groupBy(operations.values(), (operation) => worstTier(operation.effect));
  const rows = TIER_NAMES.filter((tier) => byTier.has(tier)).map((tier) => [
    code(tier),
    TIERS[tier].meaning,
    (byTier.get(tier) ?? []).map(({ name }: Operation) => code(name)).join(', '),
  ]);
  return toTable(['Tier', 'Meaning', 'Tools'], rows);
}

function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [toRow(head), `|${head.map(() => ' --- |').join('')}`, ...rows.map(toRow)].join('\n');
}

function toRow(cells: readonly string[]): string {
  return `| ${cells.map(escape).join(' | ')} |`;
}

function code(text: string): string {
  return `\`${text}\``;
}

function escape(cell: string): string {
  return cell.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
