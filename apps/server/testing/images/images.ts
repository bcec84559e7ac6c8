import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { crc32, deflateSync } from 'node:zlib';
import encodeJpegPixels, { init as initJpeg } from '@jsquash/jpeg/encode.js';
import decodeWebpPixels, { init as initWebpDecoder } from '@jsquash/webp/decode.js';
import encodeWebpPixels, { init as initWebp } from '@jsquash/webp/encode.js';
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
  const rows = Array.from({ length: height }, (_, y) => [
    Buffer.of(0),
    Buffer.from(data.slice(y * width * 4, (y + 1) * width * 4)),
  ]);
  const parts = [
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows.flat()))),
    chunk('IEND', Buffer.of()),
  ];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]);
}

const { resolve } = createRequire(import.meta.url);
type Module = new (bytes: Uint8Array) => object;
const { WebAssembly } = globalThis as unknown as { WebAssembly: { Module: Module } };
const compile = (file: string) => new WebAssembly.Module(readFileSync(resolve(file)));

/** Derived, because the type's color space depends on the library version. */
type ImageInput = Parameters<typeof encodeJpegPixels>[0];

/** `orientation` adds camera metadata with this orientation and a location. */
export async function encodeJpeg(pixels: Pixels, orientation?: number): Promise<Buffer> {
  await initJpeg(compile('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'));
  const image = Buffer.from(await encodeJpegPixels(pixels as ImageInput, { quality: 95 }));
  if (orientation === undefined) return image;
  // A TIFF directory with one entry, followed by text.
  const exif = Buffer.from(
    `Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0${String.fromCharCode(orientation)}\0\0\0\0\0\0GPS 52.5163`,
    'latin1',
  );
  const length = Buffer.alloc(2);
  length.writeUInt16BE(exif.length + 2);
  return Buffer.concat([image.subarray(0, 2), Buffer.of(0xff, 0xe1), length, exif, image.subarray(2)]);
}

export async function encodeWebp(pixels: Pixels): Promise<Buffer> {
  await initWebp(compile('@jsquash/webp/codec/enc/webp_enc_simd.wasm'));
  return Buffer.from(await encodeWebpPixels(pixels as ImageInput, { lossless: 1 }));
}

function riff(type: string, data: Uint8Array): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(type, 'latin1'), size, data, Buffer.alloc(data.length % 2)]);
}

/** An animation with two identical frames, at most 16 pixels wide and high. */
export async function encodeAnimation(pixels: Pixels): Promise<Buffer> {
  const frame = (await encodeWebp(pixels)).subarray(12);
  const [across, down] = [pixels.width - 1, pixels.height - 1];
  const canvas = riff('VP8X', Buffer.of(0x12, 0, 0, 0, across, 0, 0, down, 0, 0));
  const anmf = riff(
    'ANMF',
    Buffer.concat([Buffer.of(0, 0, 0, 0, 0, 0, across, 0, 0, down, 0, 0, 100, 0, 0, 0), frame]),
  );
  const content = [Buffer.from('WEBP'), canvas, riff('ANIM', Buffer.alloc(6)), anmf, anmf];
  return riff('RIFF', Buffer.concat(content));
}

export async function decodeWebp(image: Uint8Array): Promise<Pixels> {
  class ImageData {
    readonly data: Uint8ClampedArray;
    readonly width: number;
    readonly height: number;
    constructor(data: Uint8ClampedArray, width: number, height: number) {
      [this.data, this.width, this.height] = [data, width, height];
    }
  }
  Object.assign(globalThis, { ImageData });
  await initWebpDecoder(compile('@jsquash/webp/codec/dec/webp_dec.wasm'));
  return decodeWebpPixels(new Uint8Array(image).buffer);
}
