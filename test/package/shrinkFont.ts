import { createRequire } from 'node:module';

/** The package has no types of its own, and those of DefinitelyTyped know no `keepFeatures`. */
const subsetFont = createRequire(import.meta.url)('subset-font') as (
  font: Buffer,
  text: string,
  subset: object,
) => Promise<Buffer>;

/** The characters that the face of the page's font has, as its package lists them. */
const ranges: readonly (readonly [number, number])[] = [
  ...([
    [0x20, 0xff],
    [0x131, 0x131],
    [0x152, 0x153],
    [0x2bb, 0x2bc],
    [0x2c6, 0x2c6],
  ] as const),
  ...([
    [0x2da, 0x2da],
    [0x2dc, 0x2dc],
    [0x304, 0x304],
    [0x308, 0x308],
    [0x329, 0x329],
  ] as const),
  ...([
    [0x2000, 0x206f],
    [0x20ac, 0x20ac],
    [0x2122, 0x2122],
    [0x2191, 0x2191],
  ] as const),
  ...([
    [0x2193, 0x2193],
    [0x2212, 0x2212],
    [0x2215, 0x2215],
    [0xfeff, 0xfeff],
  ] as const),
  [0xfffd, 0xfffd],
];

/**
 * The font with all of its characters, without the weights and the features that the page does not
 * use: 18 kB instead of 29. `tnum` are the digits of one width, which columns of numbers have.
 */
export function shrinkFont(font: Buffer): Promise<Buffer> {
  const text = ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
  );
  return subsetFont(font, text.join(''), {
    targetFormat: 'woff2',
    keepFeatures: ['kern', 'tnum', 'ccmp', 'locl', 'mark', 'mkmk'],
    variationAxes: { wght: { min: 400, max: 700, default: 400 } },
  });
}
