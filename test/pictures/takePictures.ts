import { launchBrowser } from '../browser/launchBrowser.ts';
import { logIn } from '../browser/logIn.ts';
import { settled } from '../browser/screenTable.ts';
import { lastFirst } from '../support/lastFirst.ts';
import { pictures, pixelsEach } from './pictureTable.ts';
import { makePictureWorld } from './pictureWorld.ts';
import { smallerPng } from './smallerPng.ts';

/** Takes all pictures of one cluster: the files, by their names. */
export async function takePictures(hours: number): Promise<Map<string, Buffer>> {
  const cleanUps: (() => Promise<void>)[] = [];
  const scope = lastFirst({ after: (cleanUp) => void cleanUps.push(cleanUp) });
  try {
    const { origin, token } = await makePictureWorld(scope, hours);
    const browser = await launchBrowser(scope);
    const taken = new Map<string, Buffer>();
    for (const [name, { colours, height, path, shows, width }] of Object.entries(pictures)) {
      const context = await browser.newContext({
        ...{ viewport: { width, height }, deviceScaleFactor: pixelsEach, colorScheme: colours },
        ...{ timezoneId: 'Europe/Berlin', locale: 'en-GB', reducedMotion: 'reduce' },
      });
      await logIn(context, origin, token);
      const page = await context.newPage();
      await page.goto(`${origin}/#/${path}`);
      await page.getByText(shows).filter({ visible: true }).first().waitFor();
      await settled(page);
      taken.set(name, smallerPng(await page.screenshot()));
      await context.close();
    }
    return taken;
  } finally {
    for (const cleanUp of cleanUps) await cleanUp();
  }
}
