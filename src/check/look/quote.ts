/** Words of a server for one of our sentences: in quotes, short, and nothing in them unseen. */
import { showText } from '../../gate/approve/show-text.ts';

const MOST = 60;

export function quote(text: string): string {
  const characters = Array.from(text.slice(0, 4 * MOST));
  const short = characters.slice(0, MOST).join('');
  const isCut = characters.length > MOST || text.length > 4 * MOST;
  return `"${showText(short)}${isCut ? '…' : ''}"`;
}
