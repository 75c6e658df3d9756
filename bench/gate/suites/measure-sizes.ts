/** Reads over stdio with larger answers: the gate reads each once and passes its bytes on. */
import type { Figures } from '../compare.ts';
import { download } from '../invoice-calls.ts';
import type { SuiteContext, SuiteReport } from '../suite.ts';
import { measureStdioCalls } from './stdio-calls.ts';

const FLOOR = { name: 'byte pipe', args: [] };
/** The plain read has 0.3 kB. Few large ones fill the machine. */
const SIZES = [
  { bytes: 10_000, title: '10 kB', inFlight: [1, 8] },
  { bytes: 1_000_000, title: '1 MB', inFlight: [1, 4] },
];

export async function measureSizes(context: SuiteContext): Promise<SuiteReport> {
  const all: Figures[] = [];
  const sentences: string[] = [];
  for (const { bytes, title, inFlight } of SIZES) {
    const call = download(bytes);
    const { figures, notes } = await measureStdioCalls(context, call, 'read', FLOOR, inFlight);
    all.push(...figures.map((each) => ({ ...each, name: `${each.name}, ${title}` })));
    sentences.push(...notes.map((note) => `${title}: ${note}`));
  }
  return { title: 'Larger answers over stdio', figures: all, goals: [], notes: sentences };
}
