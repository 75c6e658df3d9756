/** Twelve tools, nine of them at fault in one way each: what a check has to find, and what it must not. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkServer } from '../../src/check/check-server.ts';
import type { Finding } from '../../src/check/rule.ts';
import { memberOf } from '../../src/check/tool-schema.ts';
import { defaultSettings } from '../../src/check/read-check-config.ts';
import { toSubject } from '../../src/check/subject.ts';

interface Tool {
  readonly name: string;
  readonly annotations?: Readonly<Record<string, unknown>>;
}

const fixture = new URL('../fixtures/twelve-tools.json', import.meta.url);
const { tools } = JSON.parse(readFileSync(fixture, 'utf8')) as { readonly tools: readonly Tool[] };

function check(some: readonly unknown[]): readonly Finding[] {
  return checkServer(toSubject('notebook', some), defaultSettings(new Date(0)));
}

const found = check(tools);

function codesOf(name: string): readonly string[] {
  return found.filter(({ tool }) => tool === name).map(({ code }) => code);
}

describe('the twelve tools', () => {
  it.each(['get_note', 'list_notes', 'echo'])('finds nothing wrong with %s', (name) => {
    expect(codesOf(name)).toEqual([]);
  });

  it.each([
    ['search_web', ['open-world-untrue/public']],
    ['create_note', ['idempotent-untrue']],
    ['delete_note', ['read-only-untrue']],
    ['update_note', ['read-only-untrue', 'read-only-and-destructive']],
    ['wipe_all', ['destructive-untrue']],
    ['charge_card', ['annotations-missing', 'spend-unmarked', 'spend-without-key']],
    ['send_email', ['open-world-untrue/sends']],
    ['share_report', ['share-unmarked']],
    [
      'helper',
      [
        'description-injects/orders',
        'description-injects/exfiltration',
        'description-injects/secrecy',
      ],
    ],
  ])('finds what is wrong with %s', (name, codes) => {
    expect(codesOf(name)).toEqual(expect.arrayContaining(codes));
  });

  it('finds them gravely where a host would run them unasked', () => {
    const errors = found.filter(({ severity }) => severity === 'error').map(({ tool }) => tool);
    for (const name of ['create_note', 'delete_note', 'update_note', 'wipe_all', 'helper'])
      expect(errors).toContain(name);
  });

  it('says nothing against the server as a whole', () => {
    expect(found.filter(({ tool }) => tool === undefined)).toEqual([]);
  });

  it.each(['search_web', 'create_note', 'delete_note', 'wipe_all', 'send_email'])(
    'finds no untruth in %s once its own fix is made',
    (name) => {
      const tool = tools.find((one) => one.name === name);
      const changes = found.flatMap(({ tool: about, rule, fix }) =>
        about === name && rule.endsWith('-untrue') && fix?.kind === 'set' ? [fix] : [],
      );
      expect(changes.length).toBeGreaterThan(0);
      const annotations = Object.fromEntries([
        ...Object.entries(tool?.annotations ?? {}),
        ...changes.map(({ pointer, value }) => [pointer.split('/').at(-1) ?? '', value]),
      ]) as unknown;
      const after = check([{ ...tool, annotations }]);
      expect(memberOf(annotations, 'readOnlyHint')).toBeTypeOf('boolean');
      expect(after.filter(({ rule }) => rule.endsWith('-untrue'))).toEqual([]);
    },
  );
});
