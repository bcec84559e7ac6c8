import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** Most colours of a picture with a palette. */
const PALETTE_MAX = 256;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

interface Pixels {
  width: number;
  height: number;
  /** One number a pixel: 0xRRGGBB. */
  colours: Uint32Array;
}

/**
 * The same picture with at most 256 colours, in less than half the bytes: a screen has few colours, and the rare ones
 * at the edges of letters are taken for their nearest neighbours. Reads what browsers write: 8 bits, RGB or RGBA.
 */
export function optimizePng(png: Buffer): Buffer {
  const { width, height, colours } = decode(png);
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, PALETTE_MAX);
  const kept = palette.map(([colour]) => colour);
  const places = new Map([...counts.keys()].map((colour) => [colour, nearest(kept, colour)]));
  const rows = Buffer.alloc(height * (width + 1));
  for (const [at, colour] of colours.entries()) {
    rows[Math.floor(at / width) * (width + 1) + 1 + (at % width)] = places.get(colour) ?? 0;
  }
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 3, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const table = Buffer.from(kept.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  const data = deflateSync(rows, { level: 9, memLevel: 9 });
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', table),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function nearest(palette: readonly number[], colour: number): number {
  let best = 0;
  let distance = Number.POSITIVE_INFINITY;
  for (const [at, other] of palette.entries()) {
    const [r, g, b] = [
      (colour >> 16) - (other >> 16),
      ((colour >> 8) & 255) - ((other >> 8) & 255),
      (colour & 255) - (other & 255),
    ];
    const far = 3 * r * r + 4 * g * g + 2 * b * b;
    if (far < distance) [best, distance] = [at, far];
  }
  return best;
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}

function decode(png: Buffer): Pixels {
  const parts: Buffer[] = [];
  let header: Buffer | undefined;
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const name = png.toString('latin1', at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + length);
    if (name === 'IHDR') header = data;
    if (name === 'IDAT') parts.push(data);
    at += length + 12;
  }
  const samples = header?.[9] === 2 ? 3 : 4;
  if (header === undefined || header[8] !== 8 || (header[9] !== 2 && header[9] !== 6) || header[12] !== 0) {
    throw new Error('This is not a PNG as browsers write it.');
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  return { width, height, colours: unfiltered(inflateSync(Buffer.concat(parts)), { width, height, samples }) };
}

/** Takes back what each row says was done to it (PNG, section 9: filtering). */
function unfiltered(raw: Buffer, size: { width: number; height: number; samples: number }): Uint32Array {
  const { width, height, samples } = size;
  const stride = width * samples;
  const colours = new Uint32Array(width * height);
  let above = new Uint8Array(stride);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)];
    const row = new Uint8Array(raw.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1)));
    for (let x = 0; x < stride; x += 1) {
      const left = x >= samples ? (row[x - samples] ?? 0) : 0;
      const up = above[x] ?? 0;
      const corner = x >= samples ? (above[x - samples] ?? 0) : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter ?? 0] ?? 0;
      row[x] = (row[x] ?? 0) + guess;
    }
    for (let x = 0; x < width; x += 1) {
      const at = x * samples;
      colours[y * width + x] = ((row[at] ?? 0) << 16) | ((row[at + 1] ?? 0) << 8) | (row[at + 2] ?? 0);
    }
    above = row;
  }
  return colours;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
