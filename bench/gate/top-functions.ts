/** Reads CPU profiles and lists the functions that took the most time, the most first. */
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      readonly lineNumber: number;
    };
  }[];
  readonly samples: readonly number[];
  /** Microseconds since the sample before. */
  readonly timeDeltas: readonly number[];
}

const MOST = 25;
const RESTING = new Set(['(idle)', '(program)', '(root)']);

/** One text for all profiles below the folder; each thread has its own. */
export function topFunctions(folder: string): string {
  return globSync(join(folder, '**/*.cpuprofile')).map(describe).join('\n\n');
}

function describe(file: string): string {
  const profile = JSON.parse(readFileSync(file, 'utf8')) as Profile; // as Node wrote it
  const names = new Map(profile.nodes.map(({ id, callFrame }) => [id, toName(callFrame)]));
  const spent = new Map<string, number>();
  profile.samples.forEach((id, index) => {
    const name = names.get(id) ?? '';
    spent.set(name, (spent.get(name) ?? 0) + (profile.timeDeltas[index] ?? 0));
  });
  const busy = [...spent].filter(([name]) => !RESTING.has(name)).toSorted(([, a], [, b]) => b - a);
  const all = busy.reduce((sum, [, us]) => sum + us, 0);
  const rows = busy
    .slice(0, MOST)
    .map(([name, us]) => `${((us / all) * 100).toFixed(1).padStart(5)} %  ${name}`);
  const title = `${basename(dirname(file))}, ${basename(file)}: ${(all / 1000).toFixed(0)} ms busy`;
  return [title, ...rows].join('\n');
}

function toName({ functionName, url, lineNumber }: Profile['nodes'][number]['callFrame']): string {
  const name = functionName === '' ? '(anonymous)' : functionName;
  const place = url === '' ? '' : ` ${url.split('/').slice(-2).join('/')}:${lineNumber + 1}`;
  return `${name}${place}`;
}
