import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { CsvError } from '../csv-schema.ts';
import { detectEncoding, readBytes, readText } from './csv-encoding.ts';

const WORDS = { invalidMessage: 'This is no list.', errorMessage: 'It cannot be read.' };

const utf16 = (text: string) => Buffer.from(text, 'utf16le');

function toBlob(bytes: Buffer | string): Blob {
  return new Blob([typeof bytes === 'string' ? bytes : Uint8Array.from(bytes)]);
}

async function getText(file: Blob): Promise<{ name: string; text: string }> {
  const encoding = await detectEncoding(file, WORDS);
  let text = '';
  for await (const piece of readText(file, encoding, WORDS)) text += piece.text;
  return { name: encoding.name, text };
}

describe('the encoding of a file', () => {
  // The text is longer than one slice and has characters of different lengths, so that every cut is inside a character.
  const LONG = `name\n${'aé€😀שA'.repeat(60_000)}`;
  for (const [name, bytes] of [
    ['UTF-8', Buffer.from(LONG)],
    ['UTF-8', Buffer.from(`\uFEFF${LONG}`)],
    ['UTF-16 LE', utf16(LONG)],
    ['UTF-16 LE', utf16(`\uFEFF${LONG}`)],
    ['UTF-16 BE', utf16(LONG).swap16()],
    ['UTF-16 BE', utf16(`\uFEFF${LONG}`).swap16()],
  ] as const) {
    it(`is ${name} if it starts with ${bytes.subarray(0, 4).toString('hex')}, and no character is cut`, async () => {
      assert.deepEqual(await getText(toBlob(bytes)), { name, text: LONG });
    });
  }

  it('is Windows-1252 if only the last byte is invalid UTF-8, or the last character is cut', async () => {
    for (const [byte, char] of [
      [0x80, '€'],
      [0xc3, 'Ã'],
    ] as const) {
      const bytes = Buffer.concat([Buffer.from(`name\n${'é'.repeat(100_000)}`), Buffer.from([byte])]);
      const { name, text } = await getText(toBlob(bytes));
      assert.equal(name, 'Windows-1252');
      assert.equal(text.at(-1), char);
    }
  });

  it('is not UTF-16 because of a NUL in a cell', async () => {
    assert.equal((await detectEncoding(toBlob('na\0me,\0\n'), WORDS)).name, 'UTF-8');
    assert.equal((await detectEncoding(toBlob('name,email\n\0\0\0\0\0'), WORDS)).name, 'UTF-8');
  });

  it('removes one byte order mark', async () => {
    assert.equal((await getText(toBlob('\uFEFF\uFEFFname'))).text, '\uFEFFname');
  });

  it('declared by a byte order mark must be valid to the end', async () => {
    for (const bytes of [Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0xff]), Buffer.from([0xff, 0xfe, 0x61, 0, 0x62])]) {
      await assert.rejects(getText(toBlob(bytes)), (thrown) => {
        assert.ok(thrown instanceof CsvError);
        assert.equal(thrown.message, WORDS.invalidMessage);
        assert.match(thrown.hint ?? '', /^The file is damaged/);
        return true;
      });
    }
  });
});

describe('a file that can no longer be read', () => {
  const failing = (message: string) => ({ arrayBuffer: () => Promise.reject(new Error(message)) }) as unknown as Blob;

  it('reports the browser’s message, or ours if there is none', async () => {
    await assert.rejects(readBytes(failing('The file has changed.'), WORDS), new CsvError('The file has changed.'));
    await assert.rejects(readBytes(failing(''), WORDS), new CsvError(WORDS.errorMessage));
  });
});
