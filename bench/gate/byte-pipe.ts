/**
 * The minimum cost of a process in the middle: bytes in, bytes out, nothing parsed. With `--sync FILE`
 * each direction waits for the disk first, as a spend must, and with `--sync-answers FILE` the way back, as
 * an ordinary write must: concurrent messages share a sync.
 */
import { spawn } from 'node:child_process';
import { fdatasyncSync, openSync, writeSync } from 'node:fs';

const ROOM = 8 * 1024 * 1024;
const [first, file = '', ...rest] = process.argv.slice(2);
const syncs = first === '--sync' || first === '--sync-answers';
const [command = 'node', ...args] = syncs ? rest : process.argv.slice(2);
const keep = syncs ? openKeeper(file) : () => {};
const keepRequest = first === '--sync' ? keep : () => {};
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
process.stdin.on('data', (chunk: Buffer) => {
  keepRequest(chunk);
  child.stdin.write(chunk);
});
process.stdin.once('end', () => child.stdin.end());
child.stdout.on('data', (chunk: Buffer) => {
  keep(chunk);
  process.stdout.write(chunk);
});

/** The cheapest durable write: overwriting existing bytes of the file. */
function openKeeper(path: string): (chunk: Buffer) => void {
  const handle = openSync(path, 'w');
  writeSync(handle, Buffer.alloc(ROOM));
  fdatasyncSync(handle);
  let at = 0;
  return (chunk) => {
    if (at + chunk.length > ROOM) at = 0;
    writeSync(handle, chunk, 0, chunk.length, at);
    at += chunk.length;
    fdatasyncSync(handle);
  };
}
