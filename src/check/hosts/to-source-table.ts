/** What is known of the hosts as Markdown, one row a condition, each with its source and date. */
import { HINT_NAMES } from '../../effect/hints.ts';
import type { HostCondition, HostRow } from './host.ts';
import { HOSTS } from './host.ts';

const HEAD = ['Host', 'Setting', 'When the tool says', 'It', 'Because', 'Source', 'Read'];

export function toSourceTable(): string {
  const rows = HOSTS.flatMap(({ name, setting, rows: conditions }) =>
    conditions.map((row, index) => [
      index === 0 ? name : '',
      index === 0 ? setting : '',
      row.when === undefined
        ? conditions.length > 1
          ? 'anything else'
          : 'anything'
        : toWords(row.when),
      row.then === 'unknown' ? 'is not known' : row.then === 'free' ? 'runs free' : row.then,
      row.because,
      toSource(row),
      row.date,
    ]),
  );
  return [HEAD, HEAD.map(() => '---'), ...rows].map(toLine).join('\n');
}

function toWords({ hints = {}, meta = {} }: HostCondition): string {
  const said = HINT_NAMES.flatMap((name) => {
    const wanted = hints[name];
    if (wanted === undefined) return [];
    return [`\`${name}\` ${[wanted].flat().map(String).join(' or ')}`];
  });
  const keys = Object.entries(meta).map(([key, value]) => `\`_meta["${key}"]\` ${String(value)}`);
  return [...said, ...keys].join(', ');
}

function toSource({ source, secondHand }: HostRow): string {
  return secondHand === true ? `${source} (second-hand)` : source;
}

function toLine(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
