/** Carries an identity through the SDK, from the request to the handler of the call. */
import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';
import type { Identity } from '../../invoke/identity.ts';
import { ANONYMOUS } from '../../invoke/identity.ts';

const IDENTITY = 'identity';

/** Nothing for nobody, so that it can be spread into the SDK's options. */
export function toAuthInfo(identity: Identity): { readonly authInfo?: AuthInfo } {
  if (identity.kind !== 'known') return {};
  const { id, scopes } = identity.principal;
  // The token has done its work; nothing behind this point has a use for it.
  const extra = { [IDENTITY]: identity };
  return { authInfo: { token: '', clientId: id, scopes: [...scopes], extra } };
}

export function fromAuthInfo({ http }: ServerContext): Identity {
  const identity = http?.authInfo?.extra?.[IDENTITY];
  return identity === undefined ? ANONYMOUS : (identity as Identity); // only toAuthInfo writes it
}
