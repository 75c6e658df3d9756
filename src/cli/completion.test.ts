import { execFileSync } from 'node:child_process';
import { Command } from 'commander';
import { expect, it } from 'vitest';
import { completionCommand } from './completion.ts';
import { runMain } from '../../test/support/run-main.ts';

async function scriptOf(shell: string): Promise<string> {
  return (await runMain(['completion', shell])).stdout;
}

/** What a person sees who presses the tab key behind these words. */
function complete(script: string, ...words: readonly string[]): readonly string[] {
  const typed = ['plimsoll', ...words].map((word) => `'${word}'`).join(' ');
  const act = `COMP_WORDS=(${typed}); COMP_CWORD=${words.length}; _plimsoll; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', `${script}\n${act}`], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '');
}

it('completes commands, those below them, and their options in bash', async () => {
  const script = await scriptOf('bash');
  expect(complete(script, 'aud')).toEqual(['audit']);
  expect(complete(script, 'audit', 'l')).toEqual(['list']);
  expect(complete(script, 'audit', 'list', '--op')).toEqual(['--operation', '--open-world']);
  expect(complete(script, 'wrap', 'audit', '--dry')).toEqual(['--dry-run']);
  expect(complete(script, 'gate', '--name', 'x', '--le')).toEqual(['--ledger']);
  expect(complete(script, 'gate', '--', 'npx', '--')).toEqual([]);
});

it.each(['zsh', 'fish'])('knows every command and option in %s, too', async (shell) => {
  const [script, bash] = [await scriptOf(shell), await scriptOf('bash')];
  const words = [...bash.matchAll(/choices='([^']+)'/g)].flatMap(([, some = '']) =>
    some.split(' '),
  );
  expect(words.length).toBeGreaterThan(100);
  expect(words.filter((word) => !script.includes(word))).toEqual([]);
});

it('refuses a shell that it does not know', async () => {
  const command = completionCommand(() => Promise.resolve(new Command()))
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  await expect(command.parseAsync(['tcsh'], { from: 'user' })).rejects.toThrow('Allowed choices');
});
