import { getImport, listImports } from '@steward/contract/directory';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { productSlug } from '#platform/product/product.ts';
import { openDirectoryFile } from '../file/directory.csv.ts';
import type { UploadSummary } from './store-file.ts';
import { uploadCalls } from './upload-calls.ts';
import { createUploadSession } from './upload-session.ts';

/** Label of the link to the rows with errors. */
export const ERROR_CSV_LINK = 'Click to download Error Csv';

/** Name of that file. */
export function errorCsvName(): string {
  return `${productSlug()}-compdir-errors.csv`;
}

interface Uploading {
  teamId: string;
  dropped: readonly File[];
  onChanged: () => void;
}

/** An upload as a screen uses it; it stops when the screen is closed, after the current request. */
export function useUploadSession({ teamId, dropped, onChanged }: Uploading) {
  const client = useQueryClient();
  const [note, setNote] = useState('');
  const changed = useRef(onChanged);
  useEffect(() => {
    changed.current = onChanged;
  });
  const [session] = useState(() =>
    createUploadSession({
      calls: uploadCalls(teamId),
      open: openDirectoryFile,
      onStored: (end) => {
        notifyUploadEnd(end);
        for (const { name } of [listImports, getImport]) void client.invalidateQueries({ queryKey: [name] });
        changed.current();
      },
    }),
  );
  const step = useSyncExternalStore(session.watch, session.step);
  const choose = useRef((files: readonly File[]) => {
    const file = files.find(looksLikeCsv) ?? files[0];
    if (file === undefined) return;
    setNote(files.length > 1 ? `One file at a time: of ${files.length} files, only “${file.name}” was read.` : '');
    session.choose(file);
  }).current;

  useEffect(() => choose(dropped), [choose, dropped]);
  useEffect(
    () => () => {
      session.cancel();
      session.reset();
    },
    [session],
  );
  return { session, step, choose, note };
}

function looksLikeCsv({ name, type }: File): boolean {
  return type === 'text/csv' || /\.(csv|tsv|txt)$/i.test(name);
}

/** A partial or failed upload is explained in the dialog, which is still open: an alert over it would say the same again. */
function notifyUploadEnd({ cancelled, errorCsv }: UploadSummary): void {
  if (!cancelled && errorCsv === null) showAlert({ kind: 'success', text: 'CSV uploaded successfully' });
}
