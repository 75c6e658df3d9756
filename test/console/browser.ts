/**
 * A real Chromium for the tests of the console, with a record of everything that a page complained
 * about. Knows nothing of what the pages say.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import type { Cookie, Page } from 'playwright-core';
import { findChromium } from '../../scripts/find-chromium.mjs';
import { sharedService } from '../support/shared-service.ts';

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

const CLOSING_MS = 5000;

const MISSING = 'no chromium was found; as root on Debian, npm test installs it';

/** Where set-up installs it, a browser that is missing is a failure. */
const isInstalledHere = process.getuid?.() === 0 && existsSync('/etc/debian_version');

/** Why browser tests are skipped here, if they are. */
export const NO_BROWSER: string | undefined =
  findChromium() === undefined && !isInstalledHere ? MISSING : undefined;

export interface Look {
  readonly colours?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  readonly scripts?: boolean;
  /** The time zone of the reader. Default: that of this machine. */
  readonly zone?: string;
}

export interface Tab extends AsyncDisposable {
  readonly page: Page;
  /** Errors on the console, refusals of the content policy, requests that failed. */
  readonly complaints: readonly string[];
}

export interface Chromium extends AsyncDisposable {
  /** Each that connects here has contexts of its own, which end with the connection. */
  readonly address: string;
}

type Connection = Awaited<ReturnType<typeof chromium.connect>>;

export class Browser {
  readonly #browser: Connection;
  readonly #chromium: Chromium | undefined;

  private constructor(browser: Connection, own: Chromium | undefined) {
    this.#browser = browser;
    this.#chromium = own;
  }

  /** In the Chromium that the tests of this run share, or in one of its own. */
  static async open(): Promise<Browser> {
    const shared = await sharedService('chromium');
    if (shared !== undefined) return new Browser(await chromium.connect(shared), undefined);
    const own = await launchChromium();
    return new Browser(await chromium.connect(own.address), own);
  }

  /** A tab with nothing of any other tab but these cookies. */
  async openTab(look: Look = {}, cookies: readonly Cookie[] = []): Promise<Tab> {
    const { colours = 'light', width = 1180, height = 900, scripts = true, zone } = look;
    const context = await this.#browser.newContext({
      colorScheme: colours,
      viewport: { width, height },
      javaScriptEnabled: scripts,
      reducedMotion: 'reduce',
      ...(zone !== undefined && { timezoneId: zone }),
    });
    await context.addCookies(cookies);
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('requestfailed', (request) => {
      const why = request.failure()?.errorText ?? '';
      // A stream that ends because its page does.
      if (why !== 'net::ERR_ABORTED') complaints.push(`${request.url()}: ${why}`);
    });
    const close = async (): Promise<void> => {
      // It ends with the browser at the latest, and no test should wait for that.
      await Promise.race([context.close(), wait(CLOSING_MS, undefined, { ref: false })]);
    };
    return { page, complaints, [Symbol.asyncDispose]: close };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
    await this.#chromium?.[Symbol.asyncDispose]();
  }
}

export async function launchChromium(): Promise<Chromium> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error(MISSING);
  // Whatever the browser writes goes into a folder that is removed with it.
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-browser-'));
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder };
  const server = await chromium.launchServer({
    executablePath,
    args: ARGS,
    env,
    host: '127.0.0.1',
  });
  return {
    address: server.wsEndpoint(),
    [Symbol.asyncDispose]: async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
