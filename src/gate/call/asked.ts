/** What came of a question about a call, as the call that waits for it goes on. */
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import type { Approval } from '../approvals/approval.ts';
import { TooManyQuestionsError } from '../approvals/approvals.ts';
import type { Price } from '../approvals/card.ts';
import type { Frame } from '../protocol/frame.ts';
import type { OwnState } from './own-state.ts';
import type { PermitBasis } from './running-call.ts';

export type Asked =
  | {
      readonly kind: 'yes';
      readonly basis: PermitBasis;
      readonly approver?: string;
      readonly bytes?: Uint8Array;
      /** That was shown. */
      readonly price?: Price;
    }
  | { readonly kind: 'refused'; readonly problem: Problem }
  /** The policy under which it was asked holds no longer. */
  | { readonly kind: 'decide-again'; readonly problem?: undefined }
  | { readonly kind: 'no' | 'expired'; readonly approval: string; readonly problem: Problem }
  /** The client comes back: with the form's answer, or to see whether somebody has answered. */
  | {
      readonly kind: 'waiting';
      readonly approval: string;
      readonly problem?: Problem;
      readonly answer?: Frame;
    };

export const NOBODY: Problem = toProblem(
  'nobody-to-ask',
  'The policy counts only an answer in the form of the host, and this client shows no forms.',
);

export const NOT_SHOWABLE: Problem = toProblem(
  'nobody-to-ask',
  'Its arguments are too long to be shown whole where the policy lets a person answer.',
);

const RETRY_SECONDS = 30;

export function toTooMany(error: unknown): Problem {
  if (!(error instanceof TooManyQuestionsError)) throw error;
  return toProblem('rate-limited', error.message, { retryAfter: RETRY_SECONDS });
}

export function toYes({ id, approver, card }: Approval, state: OwnState | undefined): Asked {
  return {
    kind: 'yes',
    basis: { kind: 'approval', id },
    approver,
    ...(state !== undefined && { bytes: state.bytes }),
    ...(card?.price !== undefined && { price: card.price }),
  };
}

export function toNo({ id, reason }: Approval): Asked {
  // Quoted, so that nobody has to guess where it ends.
  const detail = reason === '' ? 'No reason was given.' : `The reason: ${JSON.stringify(reason)}.`;
  const problem = toProblem('approval-declined', detail, { reference: id });
  return { kind: 'no', approval: id, problem };
}
