/**
 * Prepares the checkout on a machine that has only Node 20 and npm: installs the packages of the lock
 * file, which include the Node version that all other scripts run on; before tests also the browser for
 * the console tests and the servers for the groupware tests. Does nothing when that is done. Must itself run on Node 20.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from './find-chromium.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const marker = join(root, 'node_modules', '.plimsoll-setup');
const node = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');

if (!isReady()) {
  await install();
  checkNode();
  writeFileSync(marker, lockDigest());
}
if (process.env['npm_lifecycle_event'] === 'pretest') {
  if (findChromium() === undefined) {
    await installFromDebian('chromium', 'browser tests', ['chromium', 'fonts-dejavu-core']);
  }
  if (!['/usr/sbin/apache2', '/usr/lib/python3/dist-packages/radicale'].every(existsSync)) {
    // Without the packages that would also start them as services.
    const packages = ['apache2-bin', 'python3-radicale'];
    await installFromDebian('apache2 and radicale', 'groupware tests', packages);
  }
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
  const npm = process.env['npm_execpath'];
  // Not `npm ci`: it refuses a lock file that lacks other platforms' optional packages, which a
  // registry mirror may not hold.
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error'];
  const code = npm ? await run(process.execPath, [npm, ...args]) : await run('npm', args);
  if (code !== 0) fail(`npm install ended with ${code}; run it by hand to see why.`);
}

/**
 * If it is not available, the tests that need it say so.
 * @param {string} what
 * @param {string} tests
 * @param {readonly string[]} packages
 */
async function installFromDebian(what, tests, packages) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    say(`no ${what}, and only root on Debian can install it here; ${tests} will be skipped.`);
    return;
  }
  say(`installing ${what} for the ${tests} (about a minute, once)`);
  const patience = ['-o', 'Acquire::Retries=2', '-o', 'Acquire::http::Timeout=20'];
  const updated = await run('apt-get', [...patience, 'update', '-qq']);
  const wanted = ['install', '-y', '-qq', '--no-install-recommends', ...packages];
  const code = updated === 0 ? await run('apt-get', [...patience, ...wanted]) : updated;
  if (code !== 0) say(`apt-get ended with ${code}: no ${what} for the ${tests}.`);
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {Promise<number | null>}
 */
async function run(command, args) {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  const ticker = setInterval(() => say(`still installing, ${seconds()} s`), 10_000);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] });
  /** @type {number | null} */
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  clearInterval(ticker);
  if (code === 0) say(`done in ${seconds()} s`);
  return code;
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
