/** A few changes of a definition in one line. */
import { showText } from '../../gate/approve/show-text.ts';
import type { DriftChange } from '../../gate/pins/drift.ts';

const MOST = 3;

export function describeChanges(changes: readonly DriftChange[]): string {
  const shown = changes.slice(0, MOST).map(({ pointer, text }) => {
    const at = pointer === '' ? '' : `${pointer.slice(0, 80)}: `;
    return showText(`${at}${text}`);
  });
  const more = changes.length > MOST ? `; and ${changes.length - MOST} more` : '';
  return `${shown.join('; ')}${more}`;
}
