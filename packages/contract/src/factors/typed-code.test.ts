import assert from 'node:assert/strict';
import { test } from 'vitest';
import { normalizeCode } from './typed-code.ts';

test('a code is the same in the digits of every script', () => {
  const scripts = {
    Arabic: '٠١٢٣٤٥٦٧٨٩',
    Persian: '۰۱۲۳۴۵۶۷۸۹',
    Devanagari: '०१२३४५६७८९',
    Bengali: '০১২৩৪৫৬৭৮৯',
    Thai: '๐๑๒๓๔๕๖๗๘๙',
    'full-width': '０１２３４５６７８９',
    'bold mathematical': '𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗',
    'monospace mathematical': '𝟶𝟷𝟸𝟹𝟺𝟻𝟼𝟽𝟾𝟿',
    Adlam: '𞥐𞥑𞥒𞥓𞥔𞥕𞥖𞥗𞥘𞥙',
  };
  for (const [script, digits] of Object.entries(scripts)) assert.equal(normalizeCode(digits), '0123456789', script);
});

test('blanks, hyphens and invisible marks don’t count, nor the case and the width of letters', () => {
  const blanks = [' ', '\t', '\n', '\u00a0', '\u2009', '\u202f', '\u3000'];
  const hyphens = ['-', '‐', '‑', '–', '—', '−', '－', '\u00ad'];
  const marks = ['\u200b', '\u200c', '\u200d', '\u200e', '\u200f', '\u202a', '\u2060', '\u2067', '\ufeff', '\ufe0f'];
  for (const mark of [...blanks, ...hyphens, ...marks]) {
    const name = `U+${mark.charCodeAt(0).toString(16)}`;
    assert.equal(normalizeCode(`${mark}123${mark}456${mark}`), '123456', name);
    assert.equal(normalizeCode(mark), '', name);
  }
  assert.equal(normalizeCode('ＡＢＣＤ-2345 efgh'), 'abcd2345efgh');
});

test('everything else stays, so that another code isn’t read as this one', () => {
  assert.equal(normalizeCode('12.34,56'), '12.34,56');
  assert.equal(normalizeCode('¼'), '1⁄4');
  assert.equal(normalizeCode('一二三'), '一二三');
});
