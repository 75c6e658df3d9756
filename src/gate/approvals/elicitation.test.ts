import { describe, expect, it } from 'vitest';
import { toTestCardInit } from '../../../test/gate/approval-fixture.ts';
import { toCard } from './card.ts';
import type { ElicitationAnswer } from './elicitation.ts';
import type { AskChannel } from '../policy/verdict.ts';
import { fromElicitation, toClientStep, toElicitation } from './elicitation.ts';
import { cardToText } from './card-text.ts';

const card = toCard(toTestCardInit({ scopes: ['call', 'arguments'] }));

describe('the question', () => {
  it('is a form with one choice, which is no unless somebody changes it', () => {
    const { method, params } = toElicitation(card, 'id1');
    expect(method).toBe('elicitation/create');
    expect(params['message']).toBe(`${cardToText(card)}Question id1\n`);
    expect(params['requestedSchema']).toMatchObject({
      type: 'object',
      properties: {
        decision: {
          type: 'string',
          enum: ['no', 'approve once', 'approve these arguments'],
          default: 'no',
        },
      },
      required: ['decision'],
    });
  });

  it('is an address in URL mode, with an id for the revisions that want one', () => {
    const url = 'http://127.0.0.1:1/approvals/id1';
    const { params } = toElicitation(card, 'id1', { url });
    expect(params).toEqual({ mode: 'url', url, message: expect.stringContaining('place_order') });
    const old = toElicitation(card, 'id1', { url, withId: true });
    expect(old.params).toEqual({ ...params, elicitationId: 'id1' });
  });

  it('leaves arguments that are too long for a message to the page', () => {
    const argumentsText = JSON.stringify({ note: 'x'.repeat(50_000) });
    const long = toCard(toTestCardInit({ argumentsText }));
    const { params } = toElicitation(long, 'id1', { url: 'http://127.0.0.1:1/approvals/id1' });
    expect(JSON.stringify(params).length).toBeLessThan(4000);
    expect(params['message']).toContain('The page shows them');
  });
});

const accept = (content: unknown): unknown => ({ action: 'accept', content });

const ANSWERS: readonly (readonly [string, unknown, ElicitationAnswer])[] = [
  ['a yes', accept({ decision: 'approve once' }), { kind: 'approve', grant: 'call' }],
  [
    'a yes for the arguments',
    accept({ decision: 'approve these arguments' }),
    { kind: 'approve', grant: 'arguments' },
  ],
  [
    'a yes for the session',
    accept({ decision: 'approve for this session' }),
    { kind: 'approve', grant: 'session' },
  ],
  ['the default', accept({ decision: 'no' }), { kind: 'decline' }],
  ['nothing chosen', accept({}), { kind: 'none' }],
  ['no content', { action: 'accept' }, { kind: 'none' }],
  ['true', accept({ decision: true }), { kind: 'none' }],
  ['a near yes', accept({ decision: 'approve' }), { kind: 'none' }],
  ['the name of a scope', accept({ decision: 'call' }), { kind: 'none' }],
  ['a list', accept([{ decision: 'approve once' }]), { kind: 'none' }],
  ['a refusal', { action: 'decline' }, { kind: 'decline' }],
  [
    'a refusal with a yes in it',
    { action: 'decline', content: { decision: 'approve once' } },
    { kind: 'decline' },
  ],
  ['a form closed', { action: 'cancel' }, { kind: 'none' }],
  ['an unknown action', { action: 'ok', content: { decision: 'approve once' } }, { kind: 'none' }],
  ['no object', 'accept', { kind: 'none' }],
  ['null', null, { kind: 'none' }],
  [
    'an inherited yes',
    Object.create({ action: 'accept', content: { decision: 'approve once' } }),
    { kind: 'none' },
  ],
];

describe('the answer', () => {
  it.each(ANSWERS)('%s', (_, result, answer) => {
    expect(fromElicitation(result)).toEqual(answer);
  });
});

describe('how an open question is put to the client', () => {
  const trusted = ['elicitation', 'terminal'] as const;
  const both = { form: true, url: true };
  const situation = {
    channels: trusted as readonly AskChannel[],
    canElicit: both,
    hasUrl: true,
    cameBack: false,
    wasDismissed: false,
  };

  it.each<[string, Partial<typeof situation>, 'form' | 'url' | 'none']>([
    ['a host that is trusted with it', {}, 'form'],
    ['a host that shows no forms', { canElicit: { form: false, url: true } }, 'none'],
    ['a host that is not trusted with it', { channels: ['terminal'] }, 'none'],
    ['an address, where the console counts', { channels: ['console'] }, 'url'],
    ['no console runs', { channels: ['console'], hasUrl: false }, 'none'],
    [
      'a host that opens no addresses',
      { channels: ['console'], canElicit: { form: true, url: false } },
      'none',
    ],
    ['the answer came back without a yes or no', { cameBack: true }, 'none'],
    ['the person closed it before', { wasDismissed: true }, 'none'],
    [
      'the person closed it before, and nobody else can answer',
      { wasDismissed: true, channels: ['elicitation'] },
      'form',
    ],
    [
      'it came back, and nobody else can answer',
      { cameBack: true, channels: ['elicitation'] },
      'none',
    ],
  ])('%s', (_, changes, step) => {
    expect(toClientStep({ ...situation, ...changes })).toBe(step);
  });
});
