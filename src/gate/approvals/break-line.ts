/**
 * Breaks a line at a number of columns, each further part behind a mark: what comes from a call never begins a
 * line. Prose is broken at spaces, a literal value where the columns end, so that nothing of it is lost.
 */
import { ISOLATE, ISOLATE_END } from './show-text.ts';

const CONTINUED = '      … ';
const LEAST_WIDTH = 40;
/** East Asian letters and most signs take two columns; counting too many breaks early, no more. */
const FIRST_WIDE = 0x1100;

interface Place {
  /** Of the character that comes next. */
  readonly next: number;
  readonly part: string;
  readonly isIsolated: boolean;
}

export function breakLine(
  line: string,
  width: number,
  kind: 'prose' | 'literal',
): readonly string[] {
  const most = Math.max(width, LEAST_WIDTH);
  const characters = Array.from(line);
  const parts: string[] = [];
  let [part, columns, isIsolated] = ['', 0, false];
  let space: Place | undefined;
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? '';
    const wide = (character.codePointAt(0) ?? 0) >= FIRST_WIDE ? 2 : 1;
    // A space that would end a line is where prose breaks.
    if (columns + wide > most && (kind === 'literal' || character !== ' ')) {
      const end: Place = space ?? { next: at, part, isIsolated };
      ({ isIsolated } = end);
      // A line ends every isolate; what follows must be isolated again.
      parts.push(isIsolated ? `${end.part}${ISOLATE_END}` : end.part);
      part = isIsolated ? `${CONTINUED}${ISOLATE}` : CONTINUED;
      columns = CONTINUED.length;
      space = undefined;
      at = end.next - 1;
      continue;
    }
    // Not near the beginning of a line: what is one long word would leave it nearly empty.
    if (kind === 'prose' && character === ' ' && columns > most / 2) {
      space = { next: at + 1, part, isIsolated };
    }
    if (character === ISOLATE) isIsolated = true;
    if (character === ISOLATE_END) isIsolated = false;
    part += character;
    columns += wide;
  }
  return [...parts, part];
}
