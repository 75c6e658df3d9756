/**
 * What keeps a tool from being taken for milder than its name: its description says that money moves, that
 * something goes out, or that it is a secret. What is denied right before does not count.
 */
import { DENIALS } from './phrases.ts';

const LONGEST = 4000;

/** Somebody is paid or charged. */
export function movesMoney(description: string): boolean {
  return says(description, MOVES);
}
const MOVES =
  /\b(?:pays?|paying|charg(?:es?|ing|ed)|bill(?:s|ed)|collects? (?:the )?payments?|(?:sends?|moves?|transfers?|wires?|deducts?|withdraws?|sending|moving|transferring) (?:the |an? |some )?(?:money|funds?|cash|amount|payments?|balance|crypto\w*|tokens?)|money (?:is|will be|moves))\b/gi;

/** It leaves, or takes effect, at once and by this tool. */
export function goesOut(description: string): boolean {
  return says(description, LEAVES);
}
const LEAVES =
  /\b(?:sends|publishes|launches|starts|activates|schedules|delivers|emails|shares|uploads|posts|and (?:then )?(?:send|publish|launch|start|activate|schedule|deliver|email|share|upload|post)|(?:push|make|set|bring|go|goes|going|put)(?: \w+){0,2} live|live|right away|immediately|at once|instantly|straight away|spend(?:s|ing)?|paid)\b/gi;

/** What is kept from others. */
export function tellsSecrets(text: string): boolean {
  return SECRETS.test(text);
}
const SECRETS =
  /(?<![a-z])(?:secrets?|(?:api|private|ssh|secret|encryption|access|signing)[ _-]?keys?|keys|passwords?|passphrases?|credentials?|tokens?|wallets?|mnemonics?|vaults?|keychains?|keystores?|certificates?|env)(?![a-z])/i;

function says(description: string, pattern: RegExp): boolean {
  const text = description.slice(0, LONGEST);
  return [...text.matchAll(pattern)].some(
    ({ index }) => !DENIALS.test(text.slice(Math.max(0, index - 60), index)),
  );
}
