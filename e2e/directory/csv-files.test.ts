import assert from 'node:assert/strict';
import { openDirectoryFile } from '@steward/portal/src/features/directory/import/directory.csv.ts';
import { readCsv } from '@steward/portal/src/platform/csv/reader/csv-reader.ts';
import { describe, it } from 'vitest';
import { CSV_SAMPLES, type CsvSample } from './csv-files.ts';

const { signal } = new AbortController();

/** Returns how the reader handled a file, in the form of its expected outcome. */
async function said({ fileName, bytes }: CsvSample) {
  const source = new File([Uint8Array.from(bytes)], fileName);
  try {
    const file = await openDirectoryFile(source, { signal, open: readCsv });
    const { encoding, delimiter } = file;
    const faults: (string | undefined)[] = [];
    for await (const { rows } of file.batches(signal)) faults.push(...rows.map(({ fault }) => fault));
    const wrong = faults.filter((fault) => fault !== undefined).length;
    return { rows: faults.length, wrong, encoding, delimiter };
  } catch (thrown) {
    const { message, hint } = thrown as { message: string; hint?: string };
    return { refused: `${message} ${hint}` };
  }
}

describe('a file that is damaged or unusual', () => {
  for (const sample of CSV_SAMPLES) {
    const { name, about, outcome } = sample;
    it(`${name} (${about}) is ${'refused' in outcome ? 'refused' : 'read'}`, async () => {
      const answer = await said(sample);
      if ('refused' in outcome) assert.match('refused' in answer ? answer.refused : 'read', outcome.refused);
      else assert.deepEqual(answer, outcome);
    });
  }
});
