import assert from 'node:assert/strict';
import { openDirectoryFile } from '@steward/portal/src/features/directory/import/directory.csv.ts';
import { readCsv } from '@steward/portal/src/platform/csv/reader/csv-reader.ts';
import { describe, it } from 'vitest';
import { CSV_SAMPLES, type CsvSample, describeCounts, describeRefusal } from './csv-files.ts';

/** The server gives these rows back, besides those that the reader rejects. */
const FOUND_BY_SERVER: Record<string, number> = {
  'missing-columns.csv': 1,
  'nul.csv': 1,
  'short-rows.csv': 1,
  'repeated-ids.csv': 3,
  'shortened-numbers.csv': 2,
};

const DELIMITERS = { ',': 'comma', ';': 'semicolon', '\t': 'tab' };

const { signal } = new AbortController();

/** Reads a file. Returns what happened in the words of the guide's table, with what the server would add. */
async function read({ fileName, bytes }: CsvSample): Promise<string> {
  const source = new File([Uint8Array.from(bytes)], fileName);
  try {
    const file = await openDirectoryFile(source, { signal, open: readCsv });
    const { encoding, delimiter } = file;
    const faults: (string | undefined)[] = [];
    for await (const { rows } of file.batches(signal)) faults.push(...rows.map(({ fault }) => fault));
    const wrong = faults.filter((fault) => fault !== undefined).length + (FOUND_BY_SERVER[fileName] ?? 0);
    return `${encoding}, ${DELIMITERS[delimiter]}-separated: ${describeCounts(faults.length - wrong, wrong)}`;
  } catch (thrown) {
    const { message, hint } = thrown as { message: string; hint?: string };
    return describeRefusal(`${message} ${hint}`);
  }
}

describe('a file that is damaged or unusual', () => {
  for (const sample of CSV_SAMPLES) {
    const { fileName, about, result } = sample;
    const isRefused = result.startsWith('refused');
    it(`${fileName.replace('.csv', '')} (${about}) is ${isRefused ? 'refused' : 'read'}`, async () =>
      assert.equal(await read(sample), result));
  }
});
