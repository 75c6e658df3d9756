/**
 * Keeps a policy that was read and checked among the user's own files, so that the next gate loads neither
 * the YAML reader nor the schema library for the same text. What is kept counts only for exactly that text
 * and that reader, and only in a file that nobody but the user can have written.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readPlainFile } from '../lib/read-plain-file.ts';
import { stateFolder, toStateName } from '../lib/state-folder.ts';
import { writeAtomically } from '../lib/write-atomically.ts';
import type { Policy } from './policy/policy.ts';
import { toVersioned } from './policy/policy.ts';

interface PolicySource {
  /** Where it is from, such as its file; one policy is kept for each. */
  readonly name: string;
  readonly text: string;
  /** Differs wherever the code that reads policies differs. */
  readonly reader: string;
  /** Reads and checks the text; throws with what is wrong with it. */
  readonly read: () => Promise<Policy>;
}

export async function cachedPolicy({ name, text, reader, read }: PolicySource): Promise<Policy> {
  const file = join(stateFolder(), 'policies', `${toStateName(name)}.json`);
  const key = createHash('sha256')
    .update(JSON.stringify([reader, text]))
    .digest('hex');
  const kept = find(file, key);
  if (kept !== undefined) return kept;
  const policy = await read();
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeAtomically(file, JSON.stringify({ key, policy }), 0o600, 'replace');
  } catch {
    // The next gate reads the policy again, as it would have without a cache.
  }
  return policy;
}

/** Undefined for whatever is not certain. */
function find(file: string, key: string): Policy | undefined {
  try {
    const { bytes, mode, owner } = readPlainFile(file, constants.O_NOFOLLOW);
    const isOwn = process.getuid === undefined || owner === process.getuid();
    if (!isOwn || (mode & OTHERS_WRITE) !== 0) return undefined;
    const kept = JSON.parse(bytes.toString()) as { readonly key: unknown; readonly policy: Policy };
    if (kept.key !== key) return undefined;
    const { version, ...fields } = kept.policy;
    const policy = toVersioned(fields);
    return policy.version === version ? policy : undefined;
  } catch {
    return undefined;
  }
}

const OTHERS_WRITE = 0o022;
