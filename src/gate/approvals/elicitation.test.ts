import { describe, expect, it } from 'vitest';
import { toTestCardInit } from '../../../test/gate/approval-fixture.ts';
import { toCard } from './card.ts';
import type { ElicitationAnswer } from './elicitation.ts';
import { fromElicitation, toElicitation } from './elicitation.ts';
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
