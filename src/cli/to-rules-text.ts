/** Suggested rules as the part of a policy file that a person copies: YAML with what each rule means above it. Pure. */
import { stringify } from 'yaml';
import { showText } from '../gate/approvals/show-text.ts';
import type { Suggestion } from '../gate/policy/suggest-rules.ts';

/** Values stay on one line, so that none of them can look like more of the file. */
const STYLE = { lineWidth: 0, blockQuote: false } as const;

export function toRulesText(suggestions: readonly Suggestion[]): string {
  const rules = suggestions.map(({ why, means, rule }) => {
    const lines = stringify([rule], STYLE).trimEnd().split('\n');
    return [`# ${showText(why)}`, `# ${showText(means)}`, ...lines].map((line) => `  ${line}\n`);
  });
  return `rules:\n${rules.map((lines) => lines.join('')).join('')}`;
}
