/** Opens a page in the person's browser, when there is one. Never through a shell. */
import { spawn } from 'node:child_process';

const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = Object.freeze({
  darwin: ['open'],
  // `start` is a word of cmd.exe, which would read `&` in an address; this does the same without.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
});

/** Resolves to false when no browser could be started. */
export async function openBrowser(url: URL): Promise<boolean> {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  return await new Promise((done) => {
    const child = spawn(command, [...args, url.href], { stdio: 'ignore', detached: true });
    child.once('error', () => done(false));
    child.once('spawn', () => {
      child.unref();
      done(true);
    });
  });
}
