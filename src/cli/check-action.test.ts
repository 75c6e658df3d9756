/** The GitHub Action and the pre-commit hook: they run the command with what they were given, and the docs name all of it. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { checkCommand } from './check.ts';

interface Action {
  readonly inputs: Readonly<
    Record<string, { readonly description: string; readonly default: string }>
  >;
  readonly runs: {
    readonly using: string;
    readonly steps: readonly {
      readonly shell: string;
      readonly env: Readonly<Record<string, string>>;
      readonly run: string;
      readonly 'working-directory': string;
    }[];
  };
}

const action = parse(readFileSync('action.yml', 'utf8')) as Action;
const [step] = action.runs.steps;
const page = readFileSync('docs/check.md', 'utf8');

const scratch = mkdtempSync(join(tmpdir(), 'plimsoll-action-'));
afterAll(() => rmSync(scratch, { recursive: true }));
writeFileSync(join(scratch, 'npx'), '#!/bin/sh\nfor word in "$@"; do echo "$word"; done\n', {
  mode: 0o755,
});

/** What the script would run, with inputs as the runner fills them in. */
function wordsFor(given: Readonly<Record<string, string>>): readonly string[] {
  const env: Record<string, string> = { PATH: `${scratch}:/usr/bin:/bin` };
  for (const [variable, template] of Object.entries(step?.env ?? {})) {
    const [, input = ''] = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(template) ?? [];
    env[variable] = given[input] ?? action.inputs[input]?.default ?? '';
  }
  const out = execFileSync('bash', ['--norc', '-c', step?.run ?? ''], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return out.trimEnd().split('\n');
}

describe('the action', () => {
  it('hands each input to one step, and none of it as text of the script', () => {
    expect(action.runs.using).toBe('composite');
    expect(step?.run).not.toContain('${{');
    const used = JSON.stringify(step);
    for (const input of Object.keys(action.inputs)) expect(used).toContain(`inputs.${input} }}`);
  });

  it('runs the check with what was said', () => {
    expect(wordsFor({ source: 'a.json https://b.example/mcp', version: '1.2.3' })).toEqual([
      '--yes',
      'plimsoll@1.2.3',
      'check',
      '--format',
      'github',
      'a.json',
      'https://b.example/mcp',
    ]);
    const words = wordsFor({
      command: 'node server.js $(touch /tmp/x) *',
      profile: 'spec strict',
      'fail-on': 'warning',
      output: 'my report.txt',
      config: 'c.yaml',
      lock: 'l.json',
    });
    expect(words.slice(3).join('|')).toBe(
      '--format|github|--profile|spec|--profile|strict|--config|c.yaml|--lock|l.json|--fail-on|warning|--output|my report.txt|--|node|server.js|$(touch|/tmp/x)|*',
    );
  });

  it('gives only options that the command has', () => {
    const known = checkCommand().options.map(({ long }) => long);
    const given = [...(step?.run ?? '').matchAll(/\((--[\w-]+) /g)].map(([, option]) => option);
    expect(given).toHaveLength(6);
    for (const option of given) expect(known).toContain(option);
  });

  it('has every input and every option of the command on the page', () => {
    for (const input of Object.keys(action.inputs)) expect(page).toContain(`\`${input}\``);
    for (const { long } of checkCommand().options) expect(page).toContain(`\`${long ?? ''}`);
  });
});

describe('the pre-commit hook', () => {
  it('runs the command on what its user names, not on changed files', () => {
    const [hook] = parse(readFileSync('.pre-commit-hooks.yaml', 'utf8')) as Record<
      string,
      unknown
    >[];
    expect(hook).toMatchObject({
      entry: 'plimsoll check',
      language: 'node',
      pass_filenames: false,
    });
    expect(page).toContain(`id: ${String(hook?.['id'])}`);
  });
});
