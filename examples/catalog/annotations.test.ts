/**
 * What the catalogue tells hosts, pinned: a policy for each tool as data, and the rules that every
 * tool must keep. A new tool needs a row here; a destructive one needs a decision.
 */
import type { HintName } from 'plimsoll';
import { stamp } from 'plimsoll';
import { describe, expect, it } from 'vitest';
import recorded from '../../test/fixtures/closient.json' with { type: 'json' };
import createCatalog from './server.ts';

/** `null` is a hint that is not sent. */
type Policy = Readonly<Record<HintName, boolean | null>>;

const read: Policy = {
  readOnlyHint: true,
  destructiveHint: null,
  idempotentHint: true,
  openWorldHint: false,
};

const POLICY: Readonly<Record<string, Policy>> = {
  ping: read,
  validate_gtin: read,
  resolve_gtin: read,
  lookup_product: read,
  generate_qr_url: { ...read, readOnlyHint: false },
};

/** Tools that may remove or overwrite. Adding one is a change of policy: say why in the change. */
const DESTRUCTIVE: readonly string[] = [];

const { operations, convention } = createCatalog();
const stamps = [...operations.values()].map((operation) => ({
  name: operation.name,
  operation,
  ...stamp(operation, convention),
}));

describe('the annotations of every tool', () => {
  it('R1 R165 R169: exist; a tool without any would fail here before it ships', () => {
    expect(stamps).toHaveLength(5);
    for (const { annotations } of stamps)
      expect(Object.keys(annotations).length).toBeGreaterThan(1);
  });

  it('R176 R195: have a row in the policy, and no row lacks its tool', () => {
    expect(Object.keys(POLICY).toSorted()).toEqual(stamps.map(({ name }) => name).toSorted());
  });

  it.each(stamps)(
    'R4: $name says at least whether it is read-only or destructive',
    ({ annotations }) => {
      expect('readOnlyHint' in annotations || 'destructiveHint' in annotations).toBe(true);
    },
  );

  it.each(stamps)('R9 R166: $name is not destructive and read-only at once', ({ annotations }) => {
    expect(annotations.destructiveHint === true && annotations.readOnlyHint === true).toBe(false);
  });

  it.each(stamps)(
    'R167 R5 R55: $name sends what the policy says and nothing that it leaves out',
    ({ name, annotations }) => {
      const { title: _, ...hints } = annotations;
      const policy = Object.entries(POLICY[name] ?? {}).filter(([, value]) => value !== null);
      expect(hints).toEqual(Object.fromEntries(policy));
    },
  );

  it.each(recorded.tools)('is for $name exactly what Closient published', ({ name, hints }) => {
    const { title: _, ...sent } = stamps.find((each) => each.name === name)?.annotations ?? {};
    expect(sent).toEqual(hints);
  });

  it('R168 R177: mark no tool destructive that the policy does not name', () => {
    const marked = stamps.filter(({ annotations }) => annotations.destructiveHint === true);
    expect(marked.map(({ name }) => name)).toEqual(DESTRUCTIVE);
  });

  it('R12 R28 R56: carry a title for people, on the tool and inside', () => {
    for (const { name, title, annotations } of stamps) {
      expect(title).toBe(annotations.title);
      expect(title).not.toBe(name);
    }
    expect(stamps.map(({ title }) => title)).toContain('Look Up Product');
  });
});

describe('single tools', () => {
  const of = (name: string) => stamps.find((each) => each.name === name);

  it.each(['ping', 'validate_gtin', 'resolve_gtin', 'lookup_product'])(
    'R2: %s only looks, and may be repeated',
    (name) => {
      expect(of(name)?.annotations).toMatchObject({ readOnlyHint: true, idempotentHint: true });
    },
  );

  it('R8 R71: generate_qr_url changes state and may be repeated, and no host is told to warn', () => {
    const sent = of('generate_qr_url')?.annotations;
    expect(sent).toMatchObject({ readOnlyHint: false, idempotentHint: true });
    expect(sent).not.toHaveProperty('destructiveHint');
  });

  it('R70: generate_qr_url is the only one that is not read-only', () => {
    const writing = stamps.filter(({ annotations }) => annotations.readOnlyHint !== true);
    expect(writing.map(({ name }) => name)).toEqual(['generate_qr_url']);
  });

  it('R194: a hint that is not sent is still known', () => {
    const operation = of('generate_qr_url')?.operation;
    expect(operation?.effect).toMatchObject({
      overwrites: false,
      reversible: true,
      tier: 'compute',
    });
  });

  it('none reaches beyond the convention', () => {
    expect(stamps.every(({ annotations }) => annotations.openWorldHint === false)).toBe(true);
  });
});
