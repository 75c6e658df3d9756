/** Every Nextcloud tool, declared as what it does, module by module. */
import type { Declaration } from 'plimsoll';
import { calendar } from './calendar.ts';
import { contacts } from './contacts.ts';
import { cookbook } from './cookbook.ts';
import { deck } from './deck.ts';
import { news } from './news.ts';
import { notes } from './notes.ts';
import { oauth } from './oauth.ts';
import { semantic } from './semantic.ts';
import { sharing } from './sharing.ts';
import { tables } from './tables.ts';
import { webdav } from './webdav.ts';

export const declarations: readonly Declaration[] = [
  ...calendar,
  ...contacts,
  ...cookbook,
  ...deck,
  ...news,
  ...notes,
  ...oauth,
  ...semantic,
  ...sharing,
  ...tables,
  ...webdav,
];
