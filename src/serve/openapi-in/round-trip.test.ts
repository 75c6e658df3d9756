/**
 * A kit server's own OpenAPI document, projected back: the same stamps under the same convention. The
 * document carries tier, scopes and products, which is all that the geopera convention reads; for the
 * other conventions the overlay says the rest.
 */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { declarations as epdTools } from '../../../test/conventions/epd.ts';
import { declarations as geoperaTools } from '../../../test/conventions/geopera.ts';
import { declarations as nextcloudTools } from '../../../test/conventions/nextcloud/declarations.ts';
import { creates, puts, reads, spends, varies, when } from '../../effect/acts.ts';
import { defineOperation } from '../../effect/define-operation.ts';
import type { Effect } from '../../effect/effect.ts';
import type { Convention } from '../../effect/convention.ts';
import { closient } from '../../effect/conventions/closient.ts';
import { epd } from '../../effect/conventions/epd.ts';
import { geopera } from '../../effect/conventions/geopera.ts';
import { nextcloud } from '../../effect/conventions/nextcloud.ts';
import { plimsoll } from '../../effect/conventions/plimsoll.ts';
import type { Declaration, Operation } from '../../effect/operation.ts';
import type { Repeat, RepeatSpelling } from '../../effect/repeat.ts';
import { openLedger } from '../../ledger/open-ledger.ts';
import type { PlimsollServer } from '../create-server.ts';
import { createServer } from '../create-server.ts';
import { openHttp } from '../http/open-http.ts';
import { toOpenApi } from '../http/openapi.ts';
import { staticTokens } from '../static-tokens.ts';
import { toTool } from '../tool-lists.ts';
import type { Overlay, OverlayEntry } from './overlay.ts';
import { projectOpenApi } from './project-openapi.ts';

const services = { ledger: await openLedger('sqlite::memory:'), authenticate: staticTokens([]) };

function serve(operations: readonly Operation[], convention: Convention): PlimsollServer {
  return createServer({ name: 'there', version: '1.0.0', operations, convention, ...services });
}

/** The half that runs does not matter here; what the effect speaks of must be there. */
function toOperation(declaration: Declaration): Operation {
  const { secrets, varies: variations } = declaration.effect;
  const names = [
    'id',
    ...variations.flatMap((each) => ('argument' in each.when ? each.when.argument : [])),
  ];
  const text = z.string().describe('Which one');
  return defineOperation({
    ...declaration,
    description: `${declaration.title}.`,
    input: z.object(Object.fromEntries(names.map((name) => [name, text]))),
    output: z.object(Object.fromEntries(secrets.map((name) => [name, z.string()]))),
    run: () => ({}),
  });
}

function projectBack(
  operations: readonly Operation[],
  convention: Convention,
  overlay: Overlay = {},
) {
  const document: unknown = JSON.parse(JSON.stringify(toOpenApi(serve(operations, convention))));
  const projection = projectOpenApi(document, { baseUrl: 'http://localhost', overlay });
  expect([...projection.excluded, ...projection.refused]).toEqual([]);
  return serve(projection.operations, convention);
}

/** Title, annotations and `_meta` of every tool, and its name. */
function stampsOf({ operations, convention }: PlimsollServer) {
  return [...operations.values()].map((operation) => {
    const { name, title, annotations, _meta } = toTool(operation, convention);
    return { name, title, annotations, _meta };
  });
}

/** An overlay knows one effect for all arguments, and money only where the act is about it. */
function canBeSpelled({ varies: variations, money, act }: Effect): boolean {
  return variations.length === 0 && (money === undefined || ABOUT_MONEY.has(act));
}

const ABOUT_MONEY: ReadonlySet<string> = new Set(['spend', 'refund', 'read']);

function toEntry(effect: Effect): OverlayEntry {
  const { act, object, tier, reach, trace, overwrites, reversible, money, ...rest } = effect;
  const { secrets, secretsReason } = rest;
  return {
    act: money?.moves === 'estimate' ? 'estimate' : act,
    object: money?.unit ?? object,
    sideEffect: tier,
    repeat: spell(effect.repeat),
    reach,
    trace,
    overwrites,
    reversible,
    secrets,
    ...(secretsReason !== undefined && { secretsReason }),
    ...(money?.estimate !== undefined && { estimate: money.estimate }),
    ...(money?.moves === 'reserve' && { reserves: true }),
  };
}

function spell(repeat: Repeat): RepeatSpelling {
  switch (repeat.kind) {
    case 'end-state':
      return repeat.result === 'same' ? 'same' : 'end-state';
    case 'key':
      return `key-${repeat.need}`;
    case 'version':
      return `version-${repeat.need}`;
    case 'fresh':
      return 'fresh';
  }
}

describe('the document of a kit server, projected back', () => {
  it('gives the same stamps for every operation of the geopera convention, without an overlay', () => {
    const operations = geoperaTools.map(toOperation);
    expect(operations.length).toBeGreaterThan(180);
    const back = projectBack(operations, geopera);
    expect(stampsOf(back)).toEqual(stampsOf(serve(operations, geopera)));
  });

  it.each([
    ['plimsoll', plimsoll, geoperaTools],
    ['closient', closient, geoperaTools],
    ['epd', epd, epdTools],
    ['nextcloud', nextcloud, nextcloudTools],
  ])('gives the same stamps under %s with an overlay', (_, convention, tools) => {
    const operations = tools.filter(({ effect }) => canBeSpelled(effect)).map(toOperation);
    expect(operations.length).toBeGreaterThan(50);
    const overlay = Object.fromEntries(
      operations.map(({ name, effect }) => [name, toEntry(effect)]),
    );
    const back = projectBack(operations, convention, overlay);
    expect(stampsOf(back)).toEqual(stampsOf(serve(operations, convention)));
  });

  const tree = z.object({
    name: z.string(),
    get children() {
      return z.array(tree);
    },
  });
  const put = defineOperation({
    name: 'tree.put',
    title: 'Put Tree',
    description: 'Replaces a tree.',
    input: z.object({
      tree: tree.describe('The tree'),
      depth: z.int().min(1).default(3).describe('How deep'),
      kind: z.enum(['oak', 'elm']).nullable().optional().describe('Which kind'),
    }),
    output: tree,
    effect: puts('tree'),
    run: (input) => input.tree,
  });

  it('takes the same arguments and gives the same results, also of shapes within themselves', async () => {
    const made = projectBack([put], geopera).operations.get('tree.put');
    const check = made?.input['~standard'].validate ?? (() => undefined);
    const leaf = { name: 'leaf', children: [] };
    expect(await check({ tree: { name: 'a', children: [leaf] }, kind: null })).toHaveProperty(
      'value',
    );
    expect(await check({ tree: { name: 'a', children: [{ name: 1 }] } })).toHaveProperty('issues');
    expect(await check({ tree: leaf, kind: 'ash' })).toHaveProperty('issues');
    expect(await check({ tree: leaf, extra: 1 })).toHaveProperty('issues');
    expect(made?.outputSchema).toMatchObject({ type: 'object', required: ['name', 'children'] });
  });

  it('serves one kit server behind another, the key included', async () => {
    let bought = 0;
    const buy = defineOperation({
      name: 'map.buy',
      title: 'Buy Map',
      description: 'Buys a map.',
      input: z.object({ name: z.string().describe('Which map') }),
      output: z.object({ bought: z.int() }),
      effect: spends('credits'),
      run: () => ({ bought: (bought += 1) }),
    });
    await using behind = await openHttp(serve([buy], plimsoll));
    const document: unknown = await (await fetch(`${behind.url}/openapi.json`)).json();
    const { operations } = projectOpenApi(document, { baseUrl: behind.url });
    await using before = await openHttp(serve(operations, plimsoll));
    const call = async () => {
      const response = await fetch(`${before.url}/op/map.buy`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': 'one-intention-0001' },
        body: JSON.stringify({ name: 'Delft' }),
      });
      return response.json();
    };
    expect([await call(), await call(), bought]).toEqual([{ bought: 1 }, { bought: 1 }, 1]);
  });

  it('states the gravest tier where the effect depends on arguments', () => {
    const varying = toOperation({
      name: 'file.write',
      title: 'Write File',
      effect: varies(creates('file'), { when: when('id', 'x'), effect: puts('file') }),
      scopes: [],
      produces: [],
    });
    const read = toOperation({
      ...varying,
      name: 'file.read',
      title: 'Read',
      effect: reads('file'),
    });
    const back = projectBack([varying, read], geopera);
    expect(stampsOf(back)).toEqual(stampsOf(serve([varying, read], geopera)));
  });
});
