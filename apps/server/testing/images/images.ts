import { crc32, deflateSync } from 'node:zlib';
import type { Pixels } from '#platform/images/pixels.ts';

type Color = readonly [red: number, green: number, blue: number, opacity?: number];

export function paint(width: number, height: number, color: (x: number, y: number) => Color): Pixels {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let at = 0; at < width * height; at += 1) {
    const [red, green, blue, opacity = 255] = color(at % width, Math.floor(at / width));
    data.set([red, green, blue, opacity], at * 4);
  }
  return { data, width, height };
}

function chunk(type: string, data: Uint8Array): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(content.length + 8);
  frame.writeUInt32BE(data.length, 0);
  content.copy(frame, 4);
  frame.writeUInt32BE(crc32(content), content.length + 4);
  return frame;
}

/** `claims` puts another size into the header. */
export function encodePng({ data, width, height }: Pixels, claims = { width, height }): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(claims.width, 0);
  header.writeUInt32BE(claims.height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const toRow = (y: number) => [Buffer.of(0), Buffer.from(data.slice(y * width * 4, (y + 1) * width * 4))];
  const rows = Buffer.concat(Array.from({ length: height }, (_, y) => toRow(y)).flat());
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.of())];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]);
}
