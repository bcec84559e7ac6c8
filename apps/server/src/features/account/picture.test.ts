import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import encodeJpegPixels, { init as initJpeg } from '@jsquash/jpeg/encode.js';
import decodeWebpPixels, { init as initWebpDecoder } from '@jsquash/webp/decode.js';
import encodeWebpPixels, { init as initWebp } from '@jsquash/webp/encode.js';
import { removePicture, savePicture } from '@steward/contract/account';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import type { Pixels } from '#platform/images/pixels.ts';
import { call, send } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { encodePng, paint } from '#testing/images/images.ts';
import { createTeamWithMembers, invite, signedIn, type TestTeam } from '#testing/workspace/factories.ts';
import { auditRows, sumTables, TRACES } from '#testing/workspace/snapshot-tables.ts';
import { savePicture as storePicture } from '#workspace/users/pictures.store.ts';

const { resolve } = createRequire(import.meta.url);
type Module = new (bytes: Uint8Array) => object;
const { WebAssembly } = globalThis as unknown as { WebAssembly: { Module: Module } };

function riff(type: string, data: Uint8Array): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(type, 'latin1'), size, data, Buffer.alloc(data.length % 2)]);
}

/** Derived, because the type's color space depends on the library version. */
type ImageInput = Parameters<typeof encodeJpegPixels>[0];

const compile = (file: string) => new WebAssembly.Module(readFileSync(resolve(file)));

/** `orientation` adds camera metadata with this orientation and a location. */
async function encodeJpeg(pixels: Pixels, orientation?: number): Promise<Buffer> {
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

async function encodeWebp(pixels: Pixels): Promise<Buffer> {
  return Buffer.from(await encodeWebpPixels(pixels as ImageInput, { lossless: 1 }));
}

/** An animation with two identical frames, at most 16 pixels wide and high. */
async function encodeAnimation(pixels: Pixels): Promise<Buffer> {
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

async function decodeWebp(image: Uint8Array): Promise<Pixels> {
  class ImageData {
    readonly data: Uint8ClampedArray;
    readonly width: number;
    readonly height: number;
    constructor(data: Uint8ClampedArray, width: number, height: number) {
      [this.data, this.width, this.height] = [data, width, height];
    }
  }
  Object.assign(globalThis, { ImageData });
  return decodeWebpPixels(new Uint8Array(image).buffer);
}

let node: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  // Compiling a codec takes longer than using it.
  await initJpeg(compile('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'));
  await initWebp(compile('@jsquash/webp/codec/enc/webp_enc_simd.wasm'));
  await initWebpDecoder(compile('@jsquash/webp/codec/dec/webp_dec.wasm'));
  node = await startApp({ work: false });
  ours = await createTeamWithMembers(node);
});

afterAll(() => node[Symbol.asyncDispose]());

const upload = (content: string | Uint8Array, type = 'image/png', as = ours.member) =>
  call(node, savePicture, { as, text: content, headers: { 'content-type': type } });

/** The stored picture, as another member gets it. */
async function fetchPicture(id = ours.member.id, as = ours.admin) {
  const { headers, rawPayload, statusCode } = await node.app.inject({
    url: `/api/v4/users/${id}/image?_=2`,
    headers: { cookie: as.cookie },
  });
  return { status: statusCode, type: headers['content-type'], headers, content: rawPayload };
}

const RED = [255, 0, 0] as const;
const BLUE = [0, 0, 255] as const;
const plain = paint(300, 300, () => RED);

/** A pixel may differ a little from the color, since the picture is compressed. */
async function assertColor(content: Buffer, at: { x: number; y: number }, color: readonly number[]): Promise<void> {
  const { data, width, height } = await decodeWebp(content);
  assert.deepEqual([width, height], [256, 256]);
  const start = (at.y * width + at.x) * 4;
  const found = [...data.slice(start, start + 3)];
  assert.ok(
    color.every((part, index) => Math.abs(part - (found[index] ?? 0)) < 24),
    `${found} at ${at.x}, ${at.y}`,
  );
}

describe('a picture', () => {
  test('in PNG, JPEG or WebP is decoded by what it is, and stored as a square WebP, under a URL of its own, with nothing of another file in it', async () => {
    const who = await signedIn(node, { team: ours.id });
    assert.match(String((await fetchPicture(who.id)).type), /svg/);
    const hidden = Buffer.from('<script>alert(1)</script>PK\x03\x04');
    let last = 0;
    for (const [image, type, color] of [
      [encodePng(plain), 'image/png', RED],
      [await encodeJpeg(paint(300, 300, () => BLUE)), 'image/jpeg', BLUE],
      [await encodeWebp(plain), 'image/webp', RED],
      [Buffer.concat([encodePng(plain), hidden]), 'image/jpeg', RED],
    ] as const) {
      const reply = await upload(image, type, who);
      assert.equal(reply.status, 200, reply.text);
      assert.ok(reply.body.last_picture_update > last);
      last = reply.body.last_picture_update;
      const { headers, content } = await fetchPicture(who.id);
      assert.equal(headers['content-type'], 'image/webp');
      assert.equal(headers['cache-control'], 'private, max-age=86400');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      await assertColor(content, { x: 128, y: 128 }, color);
      assert.ok(!content.includes('script') && !content.includes('PK\x03\x04'));
    }
    const saved = (await auditRows(node, 'session.picture_saved')).at(-1);
    assert.deepEqual(saved, { team_id: '', actor_id: who.id, target: who.id, details: {} });
  });

  test('shows the middle of a wide image', async () => {
    const wide = paint(900, 300, (x) => (x < 300 || x >= 600 ? BLUE : RED));
    assert.equal((await upload(encodePng(wide))).status, 200);
    const { content } = await fetchPicture();
    for (const at of [
      { x: 2, y: 2 },
      { x: 253, y: 253 },
    ])
      await assertColor(content, at, RED);
  });

  test('is turned as the camera was held, and loses where it was taken', async () => {
    const upright = paint(64, 64, (_x, y) => (y < 32 ? RED : BLUE));
    const turned = await encodeJpeg(upright, 3);
    assert.ok(turned.includes('GPS 52.5163'));
    assert.equal((await upload(turned, 'image/jpeg')).status, 200);
    const { content } = await fetchPicture();
    await assertColor(content, { x: 128, y: 20 }, BLUE);
    for (const word of ['GPS', 'Exif', 'EXIF']) assert.ok(!content.includes(word));
  });

  test('of one pixel is enlarged, and transparent pixels darken nothing', async () => {
    assert.equal((await upload(encodePng(paint(1, 1, () => RED)))).status, 200);
    await assertColor((await fetchPicture()).content, { x: 200, y: 10 }, RED);
    const dotted = paint(512, 512, (x) => (x % 2 === 0 ? RED : [0, 0, 0, 0]));
    assert.equal((await upload(encodePng(dotted))).status, 200);
    await assertColor((await fetchPicture()).content, { x: 100, y: 100 }, RED);
  });

  test('is removed once, with one audit row, and the initials are back', async () => {
    const who = await signedIn(node, { team: ours.id });
    await inTransaction(node.db, (trx) => storePicture(trx, who.id, Buffer.from('a picture')));
    assert.equal((await fetchPicture(who.id)).type, 'image/webp');
    for (const _ of ['once', 'and again']) assert.equal((await call(node, removePicture, { as: who })).status, 200);
    assert.equal(
      (await auditRows(node, 'session.picture_removed')).filter(({ target }) => target === who.id).length,
      1,
    );
    assert.match(String((await fetchPicture(who.id)).type), /svg/);
  });

  test('is shown to its own account without a team, to no stranger, and not by an invitation', async () => {
    const alone = await signedIn(node, { team: null });
    assert.equal((await upload(encodePng(plain), 'image/png', alone)).status, 200);
    assert.equal((await fetchPicture(alone.id, alone)).type, 'image/webp');
    assert.equal((await fetchPicture(alone.id)).status, 404);
    const invitation = await invite(node, { teamId: ours.id, email: alone.email });
    assert.match(String((await fetchPicture(invitation)).type), /svg/);
    assert.equal((await fetchPicture(alone.id)).status, 404);
  });
});

describe('what is no picture', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const huge = { width: 50_000, height: 50_000 };
  const cases: [name: string, content: () => Promise<string | Buffer>, status: number, id: string][] = [
    ['SVG that is called PNG', async () => svg, 400, 'picture.unreadable'],
    ['GIF', async () => 'GIF89a\x01\x00\x01\x00;', 400, 'picture.unreadable'],
    ['HTML behind half of a PNG signature', async () => '\x89PNG<html>', 400, 'picture.unreadable'],
    ['nothing', async () => '', 400, 'picture.unreadable'],
    ['half a PNG', async () => encodePng(plain).subarray(0, 60), 400, 'picture.unreadable'],
    ['a PNG header', async () => encodePng(plain).subarray(0, 20), 400, 'picture.unreadable'],
    [
      'a PNG whose size is wrong',
      async () => encodePng(plain, { width: 400, height: 4000 }),
      400,
      'picture.unreadable',
    ],
    ['an animation', () => encodeAnimation(paint(16, 16, () => RED)), 400, 'picture.unreadable'],
    ['a JPEG without an end', async () => Buffer.from([0xff, 0xd8, 0xff, 0xff, 0xff]), 400, 'picture.unreadable'],
    [
      'a JPEG with random data',
      async () => Buffer.from(`ffd8ffc0000b080010001001011100${'a7'.repeat(99)}`, 'hex'),
      400,
      'picture.unreadable',
    ],
    [
      'a decompression bomb',
      async () =>
        encodePng(
          paint(1, 1, () => RED),
          huge,
        ),
      400,
      'picture.too_many_pixels',
    ],
    ['a file of 6 MB', async () => Buffer.alloc(6 * 1024 * 1024, encodePng(plain)), 413, 'request.too_large'],
  ];
  for (const [name, content, status, id] of cases)
    test(`${name} is refused with ${status} and changes nothing`, async () => {
      const right = await content();
      const before = await sumTables(node, { except: TRACES });
      const reply = await upload(right);
      assert.deepEqual([reply.status, reply.body.id], [status, id], reply.text);
      assert.deepEqual(await sumTables(node, { except: TRACES }), before);
    });

  test('a file of 6 MB that does not say its size is refused with 413', async () => {
    const pieces = Array.from({ length: 6 }, () => Buffer.alloc(1024 * 1024, encodePng(plain)));
    const response = await node.app.inject({
      method: 'PUT',
      url: '/api/v4/users/me/picture',
      headers: { cookie: ours.member.cookie, 'content-type': 'image/png' },
      payload: Readable.from(pieces),
    });
    assert.equal(response.statusCode, 413, response.body);
  });

  for (const type of ['image/svg+xml', 'image/gif', 'text/html', 'application/json', 'image/png2'])
    test(`the type ${type} is refused with 415`, async () => {
      const reply = await upload(encodePng(plain), type);
      assert.deepEqual([reply.status, reply.body.id], [415, 'request.not_image']);
    });

  test('without a content type it is refused with 415', async () => {
    const reply = await send(node, {
      method: 'PUT',
      url: '/api/v4/users/me/picture',
      headers: { cookie: ours.member.cookie },
    });
    assert.equal(reply.status, 415);
  });
});

test('many concurrent pictures of one user are refused with 429, and the picture of another user is decoded', async () => {
  const image = encodePng(plain);
  const many = Array.from({ length: 10 }, () => upload(image));
  const other = upload(image, 'image/png', ours.admin);
  const statuses = (await Promise.all(many)).map(({ status }) => status);
  assert.ok(statuses.every((status) => status === 200 || status === 429));
  assert.ok(statuses.includes(429));
  assert.equal((await other).status, 200);
});
