/**
 * One attack as a test. Its title says who attacks and what they would win; `docs/threat-model.md` lists
 * every title.
 */
import { it } from 'vitest';

type Attacker =
  | 'a lying server'
  | 'a misled agent'
  | 'a hostile repository'
  | 'a web page on this machine'
  | 'a local user'
  | 'a hostile authorization server';

/** `wins` completes the sentence that begins with the attacker. The attack must fail for the test to pass. */
export function attack(attacker: Attacker, wins: string, attempt: () => Promise<void>): void {
  it(`${attacker} ${wins}`, () => attempt(), 60_000);
}
