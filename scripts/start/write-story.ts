/** The demo data from before the gate starts: past receipts, and pins. */
import { CONFIG, toPaths } from './open-demo.ts';
import { writeHistory } from './write-history.ts';
import { writePins } from './write-pins.ts';

export async function writeStory(folder: string): Promise<void> {
  const { ledger, lock } = toPaths(folder);
  await writeHistory(ledger, Date.now());
  await writePins(CONFIG, lock);
}
