import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const MODULE = new URL('./http-client.ts', import.meta.url).href;

describe('HttpClient', () => {
  it('keeps nothing of a request that is over until the next full collection', () => {
    const flags = ['--expose-gc', '--initial-old-space-size=256', '--input-type=module'];
    const left = execFileSync(process.execPath, [...flags, '-e', SCRIPT], { encoding: 'utf8' });
    expect(Number(left)).toBeLessThan(2);
  });
});

/** Prints the megabytes that 64 requests at a time, 8,000 in all, leave behind after the young generation was collected. */
const SCRIPT = `
  import { createServer } from 'node:net';
  import { HttpClient } from ${JSON.stringify(MODULE)};
  const answer = Buffer.from('HTTP/1.1 200 OK\\r\\ncontent-type: application/json\\r\\ncontent-length: 2\\r\\n\\r\\n{}');
  const server = createServer((socket) => socket.on('data', () => socket.write(answer)));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = new HttpClient({ url: 'http://127.0.0.1:' + server.address().port });
  const body = Buffer.from('{}');
  const send = () => new Promise((done) => {
    const answered = new Array(100).fill(0);
    client.start({ method: 'POST', headers: {}, body, silenceMs: 60_000 }, {
      message: () => answered.push(1),
      done: () => done(answered.length),
    });
  });
  const load = (count) => Promise.all(Array.from({ length: 64 }, async () => {
    for (let sent = 0; sent < count / 64; sent += 1) {
      if ((await send()) !== 101) throw new Error('no answer');
    }
  }));
  await load(2000);
  gc();
  gc();
  const before = process.memoryUsage().heapUsed;
  await load(8000);
  gc({ type: 'minor' });
  gc({ type: 'minor' });
  console.log((process.memoryUsage().heapUsed - before) / 2 ** 20);
  client[Symbol.dispose]();
  process.exit();`;
