/** Names that people give to a server: they appear in rules, pins, receipts and on the screen. */
import { InvalidArgumentError } from 'commander';

const LONGEST = 100;

/** Hosts allow nearly anything as a name, so the gate does too. */
export function isServerName(name: string): boolean {
  return /^[^\p{C}\p{Zl}\p{Zp}-][^\p{C}\p{Zl}\p{Zp}]*$/u.test(name) && isTidy(name);
}

function isTidy(name: string): boolean {
  return name.trim() === name && name.length <= LONGEST;
}

export function toServerName(text: string): string {
  if (isServerName(text)) return text;
  throw new InvalidArgumentError(
    `A name has 1 to ${LONGEST} visible characters, begins with no hyphen, and has no space at either end, such as notes.`,
  );
}
