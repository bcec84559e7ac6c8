// A thread that decodes one image, encodes it again and ends. The codecs are WebAssembly: a flaw in one can't reach more than the
// memory of this thread, which is freed at its end.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { ImageHeader } from './image-header.ts';
import { type Pixels, toSquare } from './pixels.ts';

export interface SquareImageInput {
  image: Uint8Array;
  header: ImageHeader;
  size: number;
}

/** The decoders use this browser class, which Node.js lacks. */
class ImageData implements Pixels {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
  constructor(data: Uint8ClampedArray, width: number, height: number) {
    [this.data, this.width, this.height] = [data, width, height];
  }
}
Object.assign(globalThis, { ImageData });

const { resolve } = createRequire(import.meta.url);

// The type is part of the browser's library.
type Module = new (bytes: Uint8Array) => object;
const { WebAssembly } = globalThis as unknown as { WebAssembly: { Module: Module } };

function compile(file: string): object {
  return new WebAssembly.Module(readFileSync(resolve(file)));
}

async function decode({ image, header }: SquareImageInput): Promise<Pixels> {
  const bytes = image.buffer.slice(image.byteOffset, image.byteOffset + image.byteLength) as ArrayBuffer;
  if (header.format === 'png') {
    const png = await import('@jsquash/png/decode.js');
    await png.init(compile('@jsquash/png/codec/pkg/squoosh_png_bg.wasm'));
    return png.decode(bytes);
  }
  if (header.format === 'webp') {
    const webp = await import('@jsquash/webp/decode.js');
    await webp.init(compile('@jsquash/webp/codec/dec/webp_dec.wasm'));
    return webp.default(bytes);
  }
  const jpeg = await import('@jsquash/jpeg/decode.js');
  await jpeg.init(compile('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'));
  // Cameras store the pixels in the sensor's orientation, and the rotation as metadata.
  return jpeg.default(bytes, { preserveOrientation: true });
}

async function encode(pixels: Pixels): Promise<ArrayBuffer> {
  const webp = await import('@jsquash/webp/encode.js');
  await webp.init(compile('@jsquash/webp/codec/enc/webp_enc_simd.wasm'));
  // The type has a color space only if it is checked with the browser's library.
  return webp.default(pixels as Parameters<typeof webp.default>[0], { quality: 85 });
}

async function run(input: SquareImageInput): Promise<ArrayBuffer | null> {
  const pixels = await decode(input).catch(() => null);
  return pixels && encode(toSquare(pixels, input.size));
}

parentPort?.postMessage(await run(workerData as SquareImageInput));
