/** What any process in the middle costs: bytes in, bytes out, nothing read. */
import { spawn } from 'node:child_process';

const [command = 'node', ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
process.stdin.pipe(child.stdin);
child.stdout.pipe(process.stdout);
