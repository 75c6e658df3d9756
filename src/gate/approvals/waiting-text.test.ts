/** What the caller of a waiting call is told, as a table that any language can replay. */
import { expect, it } from 'vitest';
import cases from './waiting-text.cases.json' with { type: 'json' };
import type { Waiting } from './waiting-text.ts';
import { toWaitingText } from './waiting-text.ts';

interface Case {
  readonly note: string;
  readonly waiting: Waiting;
  readonly text: string;
}

it.each((cases as readonly Case[]).map((each) => [each.note, each] as const))(
  '%s',
  (_, { waiting, text }) => {
    expect(toWaitingText(waiting)).toBe(text);
  },
);
