/**
 * Tools as Markdown tables for a server's docs: one row per tool, a list for each tier, for each of the
 * three classes by hints and for each scope. The tools come from a declaration, or from any server's list.
 */
import { worstTier } from '../effect/effect.ts';
import type { Hints } from '../effect/hints.ts';
import { HINT_NAMES } from '../effect/hints.ts';
import type { SafetyClass } from '../effect/safety-class.ts';
import { safetyClassOf } from '../effect/safety-class.ts';
import { stamp } from '../effect/stamp.ts';
import type { Tier } from '../effect/tier.ts';
import { TIERS, TIER_NAMES } from '../effect/tier.ts';
import type { PlimsollServer } from './create-server.ts';

export interface TableTool {
  readonly name: string;
  readonly title: string;
  /** As sent. */
  readonly hints: Hints;
  readonly scopes: readonly string[];
  readonly description: string;
  readonly tier: Tier;
}

interface ToolTables {
  readonly tools: string;
  readonly safety: string;
  readonly classes: string;
  readonly scopes: string;
}

export function toToolTables(tools: readonly TableTool[]): ToolTables {
  return {
    tools: toToolTable(tools),
    safety: toSafetyTable(tools),
    classes: toClassTable(tools),
    scopes: toScopeTable(tools),
  };
}

/** Every tool with its title, the hints as sent (— is not sent) and what it does. */
function toToolTable(tools: readonly TableTool[]): string {
  const head = ['Tool', 'Title', ...HINT_NAMES.map(code), 'Scope', 'What it does'];
  const rows = tools.map(({ name, title, hints, scopes, description }) => [
    code(name),
    title,
    ...HINT_NAMES.map((hint) => (hints[hint] === undefined ? '—' : code(String(hints[hint])))),
    scopes.map(code).join(' ') || '—',
    description,
  ]);
  return toTable(head, rows);
}

/** The same tools by tier, harmless first, so that they can be browsed by safety. */
function toSafetyTable(tools: readonly TableTool[]): string {
  const byTier = Map.groupBy(tools, ({ tier }) => tier);
  const rows = TIER_NAMES.filter((tier) => byTier.has(tier)).map((tier) => [
    code(tier),
    TIERS[tier].meaning,
    toNames(byTier.get(tier) ?? []),
  ]);
  return toTable(['Tier', 'Meaning', 'Tools'], rows);
}

const CLASSES: Readonly<Record<SafetyClass, string>> = {
  safe: 'Only reads; an agent may call it freely.',
  mutating: 'Changes or adds something, and can be undone.',
  'needs-approval': 'A person approves each call first.',
};

/** The same tools in three classes, by the hints that clients go by. */
function toClassTable(tools: readonly TableTool[]): string {
  const byClass = Map.groupBy(tools, ({ hints }) => safetyClassOf(hints));
  const rows = (Object.keys(CLASSES) as SafetyClass[]) // the record's keys are exactly the union
    .filter((name) => byClass.has(name))
    .map((name) => [name.replace('-', ' '), CLASSES[name], toNames(byClass.get(name) ?? [])]);
  return toTable(['Class', 'Meaning', 'Tools'], rows);
}

/** The tools of each scope; a tool that requires several is in each row. */
function toScopeTable(tools: readonly TableTool[]): string {
  const scopes = [...new Set(tools.flatMap((tool) => tool.scopes))].toSorted();
  const rows = scopes.map((scope) => [
    code(scope),
    toNames(tools.filter((tool) => tool.scopes.includes(scope))),
  ]);
  const open = tools.filter((tool) => tool.scopes.length === 0);
  if (open.length > 0) rows.push(['none', toNames(open)]);
  return toTable(['Scope', 'Tools'], rows);
}

function toNames(tools: readonly TableTool[]): string {
  return tools.map(({ name }) => code(name)).join(', ');
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

/** A server of the kit as the tools of a table: what it sends, and the worst that each tool can do. */
export function toTableTools({ operations, convention }: PlimsollServer): readonly TableTool[] {
  return [...operations.values()].map((operation) => {
    const { name, title, scopes, description, effect } = operation;
    const { annotations } = stamp(operation, convention);
    return { name, title, hints: annotations, scopes, description, tier: worstTier(effect) };
  });
}
