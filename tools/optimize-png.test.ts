import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { optimizePng } from './optimize-png.ts';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const frame = Buffer.alloc(4);
  frame.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([frame, named, check]);
}

/** A picture of RGB rows, each with its filter in front. */
function rgbPng(width: number, rows: number[][]): Buffer {
  const header = Buffer.from([0, 0, 0, width, 0, 0, rows.length >> 8, rows.length & 255, 8, 2, 0, 0, 0]);
  const data = deflateSync(Buffer.from(rows.flat()));
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

function getParts(png: Buffer): Record<string, Buffer> {
  const parts: Record<string, Buffer> = {};
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const name = png.toString('latin1', at + 4, at + 8);
    parts[name] = png.subarray(at + 8, at + 8 + length);
    assert.equal(png.readUInt32BE(at + 8 + length), crc32(png.subarray(at + 4, at + 8 + length)), `${name} is whole`);
    at += length + 12;
  }
  return parts;
}

/** The colours of a picture with a palette, row by row. */
function getColors(png: Buffer, width: number): string[][] {
  const { PLTE = Buffer.alloc(0), IDAT = Buffer.alloc(0) } = getParts(png);
  const rows = inflateSync(IDAT);
  const colour = (place: number) => PLTE.subarray(place * 3, place * 3 + 3).toString('hex');
  return Array.from({ length: rows.length / (width + 1) }, (_, y) =>
    [...rows.subarray(y * (width + 1) + 1, (y + 1) * (width + 1))].map(colour),
  );
}

test('a picture of few colours keeps each of them, whatever its rows were filtered by', () => {
  const png = rgbPng(2, [
    [0, 10, 20, 30, 40, 50, 60],
    [1, 1, 2, 3, 4, 5, 6],
    [2, 1, 1, 1, 1, 1, 1],
    [3, 8, 8, 8, 8, 8, 8],
    [4, 5, 5, 5, 5, 5, 5],
  ]);
  assert.deepEqual(getColors(optimizePng(png), 2), [
    ['0a141e', '28323c'],
    ['010203', '050709'],
    ['020304', '06080a'],
    ['09090a', '0f1012'],
    ['0e0e0f', '141517'],
  ]);
});

test('more than 256 colours become the nearest ones, and the common ones stay', () => {
  const rare = Array.from({ length: 300 }, (_, at) => [0, at & 255, at >> 8, 7, 200, 100, 50]);
  const colours = getColors(optimizePng(rgbPng(2, rare)), 2);
  assert.ok(new Set(colours.flat()).size <= 256);
  assert.ok(colours.every((row) => row[1] === 'c86432'));
});

test('what no browser writes is refused', () => {
  assert.throws(() => optimizePng(optimizePng(rgbPng(1, [[0, 1, 2, 3]]))), /not a PNG as browsers write it/);
});
