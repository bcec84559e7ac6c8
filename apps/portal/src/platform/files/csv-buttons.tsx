import { Box, Button, Loader } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { getFailureMessage } from '#platform/api/failure.ts';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { usePressByCommand } from '#platform/page/waiting-command.ts';
import { type FetchPage, iteratePages } from '#platform/tables/iterate-pages.ts';
import { formatNumber } from '#platform/time/format.ts';
import { saveFile } from './save-file.ts';

/** A file of rows that arrive page by page. */
interface RowsCsv<Row> {
  add: (rows: readonly Row[]) => void;
  finish: () => Blob | Promise<Blob>;
}

interface DownloadCsvProps<Row> {
  /** Id of the button in the command palette. */
  command?: string;
  fileName: string;
  /** Plural noun for the rows, shown with the progress. */
  noun: string;
  fetchPage: FetchPage<Row>;
  /** Loaded on demand, because most visits download nothing. */
  loadCsv: () => Promise<() => RowsCsv<Row>>;
}

/** Downloads a list as CSV, shows the progress and can be canceled. Leaving the screen cancels it too. */
export function DownloadCsv<Row>({ command, fileName, noun, fetchPage, loadCsv }: DownloadCsvProps<Row>) {
  const [rows, setRows] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  usePressByCommand(command, button);
  useEffect(() => () => running.current?.abort(), []);

  const start = async () => {
    if (rows !== null) return;
    running.current = new AbortController();
    const { signal } = running.current;
    setRows(0);
    try {
      const createCsv = await loadCsv();
      let csv = createCsv();
      let count = 0;
      for await (const page of iteratePages(fetchPage, signal)) {
        // The server restarted the list, so the earlier pages are no longer part of it.
        if (page.reset === true) [csv, count] = [createCsv(), 0];
        csv.add(page.records);
        count += page.records.length;
        if (!signal.aborted) setRows(count);
      }
      const file = await csv.finish();
      if (!signal.aborted) saveFile(file, fileName);
    } catch (thrown) {
      if (!signal.aborted) showAlert({ kind: 'error', text: getFailureMessage(thrown) });
    }
    if (!signal.aborted) setRows(null);
  };
  const cancel = () => {
    running.current?.abort();
    setRows(null);
    button.current?.focus();
  };

  return (
    <Button.Group>
      <Button
        ref={button}
        variant="default"
        aria-disabled={rows !== null}
        leftSection={rows === null ? <Icon name="download" size={16} /> : <Loader size={14} aria-hidden="true" />}
        onClick={() => void start()}
      >
        {rows === null ? 'Download CSV' : <Progress rows={rows} noun={noun} />}
      </Button>
      {rows !== null && (
        <Button variant="default" aria-label="Cancel download" title="Cancel download" px={10} onClick={cancel}>
          <Icon name="close" size={16} />
        </Button>
      )}
    </Button.Group>
  );
}

function Progress({ rows, noun }: { rows: number; noun: string }) {
  return (
    // The width fits the longest count, so that nothing beside it moves while the count grows.
    <Box component="span" className="figures" miw={104} ta="left">
      {formatNumber(rows)} {noun}
    </Box>
  );
}
