/** Names the presets that fit a server and are not in use for it, each with the command that accepts it. */
import { showText } from '../gate/approvals/show-text.ts';
import { findPresets, toAcceptCommand } from '../gate/presets/find-presets.ts';
import type { ToolSource } from '../gate/tools/list-tools.ts';
import { ownLock, readLockFile } from '../gate/tools/lock.ts';
import { countOf } from '../lib/count-of.ts';
import { serverNameOf } from './lock-access.ts';
import { toShownWords } from './shown-words.ts';

/** Where the pins of a server go, and the words that lead there again. */
interface PinTarget {
  /** Where `isNamed` is false, only a guess at its name at the gate. */
  readonly server: string;
  readonly isNamed: boolean;
  readonly lock: string | undefined;
  readonly address: string | undefined;
}

export function toPinTarget(
  source: ToolSource,
  { server, lock }: { readonly server?: string; readonly lock?: string },
  configured: string | undefined,
): PinTarget {
  const named = server ?? configured;
  return {
    server: named ?? serverNameOf(source),
    isNamed: named !== undefined,
    lock,
    address: configured === undefined ? toShownWords(toWords(source)) : undefined,
  };
}

function toWords(source: ToolSource): readonly string[] {
  if (source.kind === 'command') return [source.command, ...source.args];
  return [source.kind === 'url' ? source.url : source.path];
}

/** Nobody looks for reviewed pins that they have not heard of. */
export function suggestPresets(
  tools: readonly unknown[],
  { server, isNamed, lock, address }: PinTarget,
): void {
  const reading = readLockFile(lock ?? ownLock(process.cwd()));
  const pins = reading.kind === 'lock' ? reading.lock.servers.get(server) : undefined;
  for (const fitting of findPresets(tools, pins)) {
    const { name, source } = fitting.preset;
    const at = { lock, address, ...(isNamed && { server }) };
    process.stderr.write(
      `plimsoll: ${countOf(fitting.tools.length, 'tool')} of ${showText(server)} can be pinned as reviewed (preset ${name}, ${source}): ${showText(toAcceptCommand(fitting.preset, at))}\n`,
    );
  }
}
