/** `npm start`: the catalog server over HTTP, with a development token for its one signed-in tool. */
import { main } from '../src/cli/main.ts';

await main(['serve', 'examples/catalog', '--grant', 'qr:write', ...process.argv.slice(2)]);
