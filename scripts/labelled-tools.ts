/**
 * Reads folders of labelled `tools/list` answers (`labels.json` and `lists/*.json`), and sorts whole
 * servers into those that rules are written with and those that are kept aside.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeFileError } from '../src/lib/describe-file-error.ts';

export interface Label {
  readonly list: string;
  readonly tool: string;
  readonly tier: string;
  readonly certainty?: string;
  readonly altTiers?: readonly string[];
  readonly uncertain?: readonly string[];
  readonly readOnly?: boolean;
  readonly destructive?: boolean;
  readonly nonAdditive?: boolean;
  readonly idempotent?: boolean;
  readonly openWorld?: boolean;
}

export interface LabelledTool {
  readonly label: Label;
  readonly tool: object;
  /** The server's whole list. */
  readonly list: readonly object[];
  /** What a strict score counts. */
  readonly isSure: boolean;
}

/** For the usage of a script that takes folders of them. */
export const LABELS_HELP = `A folder is one of your own; this repository has none. In it are
  lists/NAME.json  what a server answers to tools/list, as plimsoll tools --save writes it
  labels.json      what each tool does, as you see it: [{"list": "NAME", "tool": "get_note", "tier": "read"}, ...]
                   with the tiers read, write, share_export, external_spend and destructive; optional:
                   "altTiers": [...] that are right as well, "certainty": "debatable", and for --rules
                   readOnly, destructive, nonAdditive, idempotent, openWorld (true or false)
`;

/** `rest`: the servers that may be looked at while rules are written. */
export type Part = 'all' | 'aside' | 'rest';

export function readLabelled(folders: readonly string[], part: Part): readonly LabelledTool[] {
  return folders.flatMap((folder) => {
    const lists = new Map<string, readonly object[]>();
    const labels = readJson(folder, 'labels.json') as readonly Label[];
    return labels.flatMap((label): LabelledTool[] => {
      if (part !== 'all' && isAside(label.list) !== (part === 'aside')) return [];
      let list = lists.get(label.list);
      if (list === undefined) {
        const file = join('lists', `${label.list}.json`);
        ({ tools: list } = readJson(folder, file) as { tools: readonly object[] });
        lists.set(label.list, list);
      }
      const tool = list.find((one) => 'name' in one && one.name === label.tool);
      if (tool === undefined) throw new Error(`${label.list} does not list ${label.tool}`);
      return [{ label, tool, list, isSure: isSure(label) }];
    });
  });
}

/** A fixed third of the servers, by a hash of the name. */
function isAside(server: string): boolean {
  return foldOf(server, 3) === 0;
}

/** The same for every tool of a server. */
export function foldOf(server: string, folds: number): number {
  return (createHash('sha256').update(server).digest()[0] ?? 0) % folds;
}

function isSure({ certainty, uncertain }: Label): boolean {
  return certainty !== 'debatable' && uncertain?.includes('tier') !== true;
}

function readJson(folder: string, file: string): unknown {
  const path = join(folder, file);
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const why = error instanceof SyntaxError ? error.message : describeFileError(error);
    throw new Error(`${path} cannot be read: ${why}`, { cause: error });
  }
}
