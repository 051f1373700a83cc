import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { fetchDebianPackages } from '../../src/database/fetch/fetchDebianPackages.ts';
import { launcherOf } from '../../src/database/system/findServers.ts';
import { engineCache } from '../support/startTestServer.ts';

/** How a Chromium is started. */
interface BrowserProgram {
  readonly executablePath: string;
  /** Where it finds the libraries and fonts that came with it. */
  readonly env: Readonly<Record<string, string>>;
}

const places = [
  process.env.STATECRON_CHROMIUM ?? '',
  ...['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'],
];

const found = await findProgram();

/** The browser of the tests; null: there is none, and none can be had. */
export const browserProgram: BrowserProgram | null = typeof found === 'string' ? null : found;

/** What a test says that is not run without one. */
export const skip: string | false =
  typeof found === 'string' ? `not run: the page in a browser: ${found}` : false;

async function findProgram(): Promise<BrowserProgram | string> {
  const installed = places.find((place) => place !== '' && isExecutable(place));
  if (installed !== undefined) return { executablePath: installed, env: {} };
  return await fetchChromium(path.join(engineCache(), 'chromium'));
}

/**
 * Fetches Debian's Chromium without a window, with the libraries and the fonts that this machine
 * has not, once, without root. Measured on a machine that has none of them: 131 packages, 170 MB to
 * download, 559 MB unpacked, 34 s.
 * @returns why it cannot be had: no apt, not Debian, offline.
 */
async function fetchChromium(folder: string): Promise<BrowserProgram | string> {
  const outcome = await fetchDebianPackages({
    // What both share is named, too, so that it is fetched even where it is installed alone.
    packages: ['chromium-headless-shell', 'chromium', 'chromium-common'],
    ...{ folder, installed: 'system' },
    report: (line) => process.env.STATECRON_TEST_VERBOSE && console.error(line),
  });
  if (!outcome.fetched) return outcome.reason;
  const programs = ['chromium-headless-shell', 'chromium'].map((name) =>
    path.join(folder, 'usr/lib/chromium', name),
  );
  const executablePath = programs.find(isExecutable);
  if (executablePath === undefined) return `${folder} has no Chromium that can be started`;
  const { env, prefix } = await launcherOf(folder);
  if (prefix.length > 0) return `${folder} has a libc of its own; remove it`;
  const fonts = can(path.join(folder, 'etc/fonts/fonts.conf'), constants.R_OK);
  return { executablePath, env: { ...env, ...(fonts ? { FONTCONFIG_SYSROOT: folder } : {}) } };
}

function isExecutable(file: string): boolean {
  return can(file, constants.X_OK);
}

function can(file: string, mode: number): boolean {
  try {
    accessSync(file, mode);
    return true;
  } catch {
    return false;
  }
}
