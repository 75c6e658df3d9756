/** What the policy says of one server, with what holds when it says nothing. */
import type { Mode } from '../../effect/effect.ts';
import type { Policy } from './policy.ts';

export function serverTerms(policy: Policy, server: string): { trusted: boolean; mode: Mode } {
  const said = Object.hasOwn(policy.servers, server) ? policy.servers[server] : undefined;
  return { trusted: said?.trusted ?? false, mode: said?.mode ?? policy.mode };
}
