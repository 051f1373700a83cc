import { accessSync, constants } from 'node:fs';

const places = [
  process.env.STATECRON_CHROMIUM ?? '',
  ...['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'],
];

/** The Chromium of this machine; null: there is none. */
export function findBrowser(): string | null {
  return places.find((place) => place !== '' && isExecutable(place)) ?? null;
}

/** What a test says that is not run without one. */
export const noBrowser = 'not run: the page in a browser, as there is no Chromium here';

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
