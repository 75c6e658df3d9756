/** Makes what is left unseen in a sentence visible; what `showText` already marked stays as it is. */
import { showText } from '../../gate/approve/show-text.ts';

const MARKER = /(\u{27E8}U\+[\dA-F]{4,6}\u{27E9})/u;

export function showMessage(message: string): string {
  return message
    .split(MARKER)
    .map((part, index) => (index % 2 === 1 ? part : showText(part)))
    .join('');
}
