/** Who sent a request: by its token, or the one principal of a front without tokens. */
import type { IncomingMessage } from 'node:http';
import type { Principal } from '../../../../effect/operation.ts';
import { identify } from '../../../../invoke/identity.ts';
import type { Problem } from '../../../../lib/problem.ts';
import { toProblem } from '../../../../lib/problem.ts';
import type { FrontOptions } from './front-options.ts';

export type Identified =
  | { readonly kind: 'known'; readonly principal: Principal }
  | { readonly kind: 'refused'; readonly problem: Problem };

const BEARER = /^bearer +([^\s]+) *$/i;

export async function identifyRequest(
  { headers }: IncomingMessage,
  { authenticate, principal }: Pick<FrontOptions, 'authenticate' | 'principal'>,
): Promise<Identified> {
  const token = BEARER.exec(headers.authorization ?? '')?.[1];
  const identity = await identify(token, authenticate, new Date());
  if (identity.kind !== 'anonymous') return identity;
  if (authenticate === undefined && principal !== undefined) return { kind: 'known', principal };
  return { kind: 'refused', problem: toProblem('unauthenticated', 'This gate needs a token.') };
}
