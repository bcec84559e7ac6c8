import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import type { Delimiter } from '../csv-schema.ts';
import { countLines, createRowSplitter, parseRows } from './csv-rows.ts';

function splitRows(text: string, cuts: readonly number[] = [], delimiter: Delimiter = ','): string[] {
  const cutter = createRowSplitter(delimiter);
  const ends = [...cuts.map((cut) => cut % (text.length + 1)), text.length].sort((one, other) => one - other);
  const pieces = ends.map((end, at) => text.slice(ends[at - 1] ?? 0, end));
  return [...pieces.map(cutter.push), cutter.end()].filter((piece) => piece !== '');
}

const cuts = fc.array(fc.nat(), { maxLength: 8 });
const tricky = fc.string({ unit: fc.constantFrom(...'",;\t\r\n ab') });
const cell = fc.oneof(
  tricky.map((text) => ({ text, written: `"${text.replaceAll('"', '""')}"` })),
  fc.string({ unit: fc.constantFrom(...'ab 5"') }).map((text) => ({ text: `x${text}`, written: `x${text}` })),
);
const row = fc.record({
  cells: fc.array(cell, { minLength: 2, maxLength: 4 }),
  newline: fc.constantFrom('\n', '\r', '\r\n'),
});

describe('splitting text into rows', () => {
  it('returns the same rows wherever the pieces end', () => {
    fc.assert(
      fc.property(tricky, cuts, (text, ends) => assert.equal(splitRows(text, ends).join(''), splitRows(text).join(''))),
    );
  });

  it('splits at any line end outside quotes, even mixed ones, and keeps those inside', () => {
    const rows = fc.array(row, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(rows, cuts, fc.constantFrom(',', ';', '\t'), (written, ends, delimiter) => {
        const text = written.map(({ cells, newline }) => cells.map((one) => one.written).join(delimiter) + newline);
        assert.deepEqual(
          splitRows(text.join(''), ends, delimiter).flatMap((piece) => parseRows(piece, delimiter).rows),
          written.map(({ cells }) => cells.map((one) => one.text)),
        );
      }),
    );
  });

  it('returns rows as soon as they are complete, the last one without a line end', () => {
    const cutter = createRowSplitter(',');
    assert.equal(cutter.push('a,b\r\nc,"d\r'), 'a,b\n');
    assert.equal(cutter.push('\ne"\r'), '');
    assert.equal(cutter.push('f'), 'c,"d\r\ne"\n');
    assert.equal(cutter.end(), 'f\n');
    assert.equal(cutter.beforeOpenQuote(), undefined);
  });

  it('reports a quote that is never closed', () => {
    const cutter = createRowSplitter(',');
    assert.equal(cutter.push('a\n"b\nc",5" d,"e ""f""\ng'), 'a\n');
    cutter.end();
    assert.equal(cutter.beforeOpenQuote(), '"b\nc",5" d,');
  });
});

describe('parsing rows', () => {
  it('reports where text follows a closing quote', () => {
    assert.equal(parseRows('a,b\nc,"d" e,f\n', ',').brokenAt, 7);
    assert.equal(parseRows('a,b\nc,"d" ,f\n', ',').brokenAt, undefined);
    assert.equal(parseRows('a,5" b\n', ',').brokenAt, undefined);
  });
});

describe('counting lines', () => {
  it('counts \\r\\n as one, and \\r and \\n as one each', () => {
    assert.equal(countLines('a\r\nb\rc\nd\n\r'), 5);
    assert.equal(countLines('abc'), 0);
  });
});
