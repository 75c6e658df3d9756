import { CELLS, nameOf } from './cells.ts';
import { judge } from './compare.ts';
import { ACCEPTED } from './accepted.ts';
import { Places } from './places.ts';
import { runCell } from './run-cell.ts';
const want = process.argv[2] ?? '';
const limit = Number(process.argv[3] ?? 40);
const places = new Places();
for (const cell of CELLS.filter((c) => nameOf(c).includes(want) && c.client !== 'inspector')) {
  const t = Date.now();
  try {
    const { differences, calls, receipts } = await runCell(cell, places);
    const { unlisted, unused } = judge(cell, differences, ACCEPTED);
    console.log(
      `== ${nameOf(cell)}: ${differences.length} differences, ${unlisted.length} unlisted, ${unused.length} unused, calls ${calls} receipts ${receipts}, ${Date.now() - t} ms`,
    );
    for (const d of unlisted.slice(0, limit))
      console.log(
        '  ',
        d.at,
        '\n      D',
        JSON.stringify(d.direct)?.slice(0, 300),
        '\n      G',
        JSON.stringify(d.gated)?.slice(0, 300),
      );
    for (const u of unused) console.log('   unused', u);
  } catch (e) {
    console.log(nameOf(cell), e);
  }
}
await places[Symbol.asyncDispose]();
