/**
 * The three classes in which tools can be browsed by safety, from the hints as they are sent, and the lists
 * of name patterns with which a team says in public which tools belong where.
 */
import type { Hints } from './hints.ts';
import { HINT_DEFAULTS } from './hints.ts';

export type SafetyClass = 'safe' | 'mutating' | 'needs-approval';

/** By class, names or beginnings of names: `ping`, `list_*`. */
export type ClassLists = Readonly<Partial<Record<SafetyClass, readonly string[]>>>;

/** A hint that is not sent counts as MCP says that it must be taken. */
export function safetyClassOf(hints: Hints): SafetyClass {
  const { readOnlyHint, destructiveHint } = { ...HINT_DEFAULTS, ...hints };
  if (readOnlyHint) return 'safe';
  return destructiveHint ? 'needs-approval' : 'mutating';
}

/** The names that one of the patterns matches, each once, in the order of the names. */
export function expandNames(
  patterns: readonly string[],
  names: readonly string[],
): readonly string[] {
  return names.filter((name) => patterns.some((pattern) => matches(pattern, name)));
}

interface ClassedTool {
  readonly name: string;
  readonly hints: Hints;
}

interface ClassFinding {
  readonly kind: 'contradicts' | 'matches-nothing';
  readonly message: string;
}

/** What the lists say of tools that say something else of themselves, and patterns that match nothing. */
export function* checkClassLists(
  lists: ClassLists,
  tools: readonly ClassedTool[],
): Generator<ClassFinding> {
  for (const [listed, patterns] of Object.entries(lists)) {
    for (const pattern of patterns) {
      const named = tools.filter(({ name }) => matches(pattern, name));
      if (named.length === 0) {
        yield {
          kind: 'matches-nothing',
          message: `"${pattern}" is listed as ${listed}, but matches no tool`,
        };
      }
      for (const { name, hints } of named) {
        const own = safetyClassOf(hints);
        if (own === listed) continue;
        const message = `${name} is listed as ${listed}, but its hints say ${own}`;
        yield { kind: 'contradicts', message };
      }
    }
  }
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
