import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { createLineSplitter, type RawLine } from './line-splitter.ts';

const MAX = 40;

function cut(pieces: readonly (string | Buffer)[], max = MAX): RawLine[] {
  const cutter = createLineSplitter(max);
  return [...pieces.flatMap((piece) => cutter.take(Buffer.from(piece))), ...cutter.end()];
}

describe('a body', () => {
  const CASES: { name: string; pieces: (string | Buffer)[]; lines: RawLine[] }[] = [
    { name: 'without a byte has no line', pieces: [], lines: [] },
    {
      name: 'may end without a line feed',
      pieces: ['a\nb'],
      lines: [
        { at: 1, text: 'a' },
        { at: 2, text: 'b' },
      ],
    },
    {
      name: 'may have carriage returns',
      pieces: ['a\r\nb\r\n'],
      lines: [
        { at: 1, text: 'a' },
        { at: 2, text: 'b' },
      ],
    },
    { name: 'may begin with a byte order mark', pieces: ['\ufeffa\n'], lines: [{ at: 1, text: 'a' }] },
    {
      name: 'may begin with half of one',
      pieces: [Buffer.from([0xef]), Buffer.from([0xbb, 0xbf, 0x61])],
      lines: [{ at: 1, text: 'a' }],
    },
    {
      name: 'has no such mark later',
      pieces: ['a\n\ufeffb'],
      lines: [
        { at: 1, text: 'a' },
        { at: 2, text: '\ufeffb' },
      ],
    },
    { name: 'counts empty lines', pieces: ['\n\r\n  \t\na\n\n'], lines: [{ at: 4, text: 'a' }] },
    { name: 'of a mark alone has no line', pieces: ['\ufeff'], lines: [] },
    {
      name: 'may break anywhere, even within a character',
      pieces: [Buffer.from([0xc3]), Buffer.from([0xa4, 0x0a])],
      lines: [{ at: 1, text: 'ä' }],
    },
    { name: 'keeps a carriage return within a line', pieces: ['a\rb\n'], lines: [{ at: 1, text: 'a\rb' }] },
    {
      name: 'that is not UTF-8 is reported with its line number, and the next line is read',
      pieces: [Buffer.from([0x61, 0xff, 0x0a]), 'b\n', Buffer.from([0xc3])],
      lines: [
        { at: 1, error: 'is not UTF-8' },
        { at: 2, text: 'b' },
        { at: 3, error: 'is not UTF-8' },
      ],
    },
    {
      name: 'has lines of the longest length, with or without a carriage return, in one piece or many',
      pieces: [`${'a'.repeat(MAX)}\n`, 'b'.repeat(MAX), '\r\n', 'c'.repeat(MAX)],
      lines: [
        { at: 1, text: 'a'.repeat(MAX) },
        { at: 2, text: 'b'.repeat(MAX) },
        { at: 3, text: 'c'.repeat(MAX) },
      ],
    },
    {
      name: 'is reported for a line that is one byte too long, in one chunk or many, with or without an end',
      pieces: [`${'a'.repeat(MAX + 1)}\nok\n`, 'b'.repeat(MAX), 'b\nok\n', 'c'.repeat(MAX), 'cc'],
      lines: [
        { at: 1, error: `is longer than ${MAX} bytes` },
        { at: 2, text: 'ok' },
        { at: 3, error: `is longer than ${MAX} bytes` },
        { at: 4, text: 'ok' },
        { at: 5, error: `is longer than ${MAX} bytes` },
      ],
    },
  ];
  for (const { name, pieces, lines } of CASES) test(name, () => assert.deepEqual(cut(pieces), lines));

  test('is split into the same lines however it is chunked', () => {
    const text = fc.stringMatching(/^[aä€😀{}\r\n ]{0,200}$/u);
    fc.assert(
      fc.property(text, fc.array(fc.nat(400), { maxLength: 30 }), (body, cuts) => {
        const bytes = Buffer.from(body);
        const at = [0, ...cuts.filter((place) => place < bytes.length).sort((a, b) => a - b), bytes.length];
        const pieces = at.slice(1).map((to, index) => bytes.subarray(at[index], to));
        assert.deepEqual(cut(pieces), cut([bytes]));
      }),
      { numRuns: 400 },
    );
  });

  test('with a line that is too long is not buffered', () => {
    const cutter = createLineSplitter(1024 * 1024);
    const piece = Buffer.alloc(64 * 1024, 'a');
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < 1_600; count += 1) cutter.take(piece);
    assert.ok(process.memoryUsage().arrayBuffers - before < 8 * 1024 * 1024);
    assert.deepEqual(cutter.take(Buffer.from('\nok\n')), [
      { at: 1, error: `is longer than ${1024 * 1024} bytes` },
      { at: 2, text: 'ok' },
    ]);
  });

  test('that arrives byte by byte is buffered compactly', () => {
    const cutter = createLineSplitter(4 * 1024 * 1024);
    const before = process.memoryUsage();
    for (let count = 0; count < 1024 * 1024; count += 1) cutter.take(Buffer.from('a'));
    const after = process.memoryUsage();
    const grown = after.arrayBuffers - before.arrayBuffers + after.heapUsed - before.heapUsed;
    assert.ok(grown < 48 * 1024 * 1024, `${grown}`);
    const [line] = cutter.take(Buffer.from('\n'));
    assert.ok(line && 'text' in line && line.text.length === 1024 * 1024);
  });
});
