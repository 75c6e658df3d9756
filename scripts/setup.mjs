/**
 * Makes the checkout ready on a machine that has only Node 20 and npm: installs what the lock file
 * names, which brings the Node that every other script runs on. Does nothing when that is done.
 * Must itself run on Node 20.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const marker = join(root, 'node_modules', '.plimsoll-setup');
const node = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');

if (!isReady()) {
  await install();
  checkNode();
  writeFileSync(marker, lockDigest());
}

function isReady() {
  return existsSync(node) && existsSync(marker) && readFileSync(marker, 'utf8') === lockDigest();
}

function lockDigest() {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
}

async function install() {
  say('installing packages, among them Node 24 (about a minute, once)');
  const started = Date.now();
  const ticker = setInterval(() => {
    say(`still installing, ${Math.round((Date.now() - started) / 1000)} s`);
  }, 10_000);
  const npm = process.env['npm_execpath'];
  // Not `npm ci`: it refuses a lock file that lacks other platforms' optional packages, which a
  // registry mirror may not hold.
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error'];
  const child = npm
    ? spawn(process.execPath, [npm, ...args], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
    : spawn('npm', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  /** @type {number | null} */
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  clearInterval(ticker);
  if (code !== 0) fail(`npm install ended with ${code}; run it by hand to see why.`);
  say(`installed in ${Math.round((Date.now() - started) / 1000)} s`);
}

function checkNode() {
  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  const major = Number(/^v(\d+)/.exec(stdout ?? '')?.[1]);
  if (!(major >= 24)) {
    fail(
      'the npm package "node" did not bring Node 24 for this platform; install Node 24 yourself.',
    );
  }
}

/** @param {string} message */
function say(message) {
  process.stderr.write(`set-up: ${message}\n`);
}

/** @param {string} message */
function fail(message) {
  say(message);
  process.exit(1);
}
