/**
 * Real servers for tests, on loopback: Apache with mod_dav for files, Radicale for calendars and
 * contacts. Debian has both as packages, which the set-up step installs.
 */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const APACHE = '/usr/sbin/apache2';
const RADICALE = '/usr/lib/python3/dist-packages/radicale';

/** Whether a test may be left out because the servers are missing: not where they can be installed. */
export const areMissing: boolean = !existsSync(APACHE) || !existsSync(RADICALE);
export const canInstall: boolean = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

export const USER = 'mara';
export const APP_PASSWORD = 'an app password';

export interface StandardServers extends AsyncDisposable {
  readonly files: string;
  readonly home: string;
  /** The folder in which Apache keeps the files. */
  readonly root: string;
}

export async function openStandardServers(): Promise<StandardServers> {
  const folder = mkdtempSync(join(tmpdir(), 'groupware-servers-'));
  chmodSync(folder, 0o755);
  const [apachePort, radicalePort] = [await freePort(), await freePort()];
  const root = join(folder, 'root');
  const apache = start(APACHE, ['-f', writeApacheConfig(folder, root, apachePort), '-DFOREGROUND']);
  const config = writeRadicaleConfig(folder, radicalePort);
  const radicale = start('/usr/bin/python3', ['-m', 'radicale', '--config', config]);
  const stop = async (): Promise<void> => {
    for (const child of [apache, radicale]) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill();
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  };
  const files = `http://127.0.0.1:${apachePort}/dav/`;
  const home = `http://127.0.0.1:${radicalePort}/${USER}/`;
  try {
    await Promise.all([untilUp(files, apache), untilUp(home, radicale)]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { files, home, root, [Symbol.asyncDispose]: stop };
}

function start(command: string, args: readonly string[]): ChildProcess {
  return spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
}

function writeApacheConfig(folder: string, root: string, port: number): string {
  for (const path of [root, join(folder, 'locks')]) {
    mkdirSync(path);
    chmodSync(path, 0o777); // Apache gives up the rights of root
  }
  const hash = createHash('sha1').update(APP_PASSWORD).digest('base64');
  writeFileSync(join(folder, 'apache-users'), `${USER}:{SHA}${hash}\n`);
  const modules = [
    'mpm_event',
    'authn_core',
    'authn_file',
    'authz_core',
    'authz_user',
    'auth_basic',
    'mime',
    'alias',
    'dir',
    'dav',
    'dav_fs',
  ];
  const config = join(folder, 'apache.conf');
  writeFileSync(
    config,
    `ServerName localhost
Listen 127.0.0.1:${port}
PidFile ${folder}/apache.pid
DefaultRuntimeDir ${folder}
ErrorLog ${folder}/apache.log
${modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
${process.getuid?.() === 0 ? 'User nobody\nGroup nogroup' : ''}
TypesConfig /dev/null
AddType text/markdown .md
AddType text/plain .txt
AddType image/png .png
DavLockDB ${folder}/locks/db
DirectorySlash On
Alias /dav ${root}
<Directory ${root}>
  Dav On
  AuthType Basic
  AuthName files
  AuthBasicProvider file
  AuthUserFile ${folder}/apache-users
  Require valid-user
</Directory>
`,
  );
  return config;
}

function writeRadicaleConfig(folder: string, port: number): string {
  writeFileSync(join(folder, 'radicale-users'), `${USER}:${APP_PASSWORD}\n`);
  const config = join(folder, 'radicale.conf');
  writeFileSync(
    config,
    `[server]
hosts = 127.0.0.1:${port}
[auth]
type = htpasswd
htpasswd_filename = ${folder}/radicale-users
htpasswd_encryption = plain
delay = 0
[storage]
filesystem_folder = ${folder}/collections
[logging]
level = error
`,
  );
  return config;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Any answer will do. */
async function untilUp(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with ${child.exitCode}`);
    const isUp = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isUp) return;
    await wait(50);
  }
  throw new Error(`${child.spawnfile} did not come up at ${url}`);
}
