import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { showSuccess } from '#platform/feedback/alerts.tsx';
import type { UploadSummary } from './store-file.ts';
import type { AnyRow, UploadKind } from './upload-kind.ts';
import { createUploadSession, type UploadSession, type UploadStep } from './upload-session.ts';

interface Uploading<Row extends AnyRow, Imported> {
  /** This is read once, because an upload keeps its kind. */
  createKind: () => UploadKind<Row, Imported>;
  dropped: readonly File[];
  /** The stored data may have changed. */
  onStored: () => void;
}

export interface Upload<Imported = unknown> {
  session: UploadSession<Imported>;
  step: UploadStep<Imported>;
  choose: (files: readonly File[]) => void;
  /** Additional notes about the chosen files; '' for none. */
  note: string;
}

/** An upload stops after the current request when its screen is closed. */
export function useUpload<Row extends AnyRow, Imported>({
  createKind,
  dropped,
  onStored,
}: Uploading<Row, Imported>): Upload<Imported> {
  const [note, setNote] = useState('');
  const stored = useRef(onStored);
  useEffect(() => {
    stored.current = onStored;
  });
  const [session] = useState(() =>
    createUploadSession({
      kind: createKind(),
      onStored: (end) => {
        notifyUploadEnd(end);
        stored.current();
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
function notifyUploadEnd({ cancelled, errorCsv }: UploadSummary<unknown>): void {
  if (!cancelled && errorCsv === null) showSuccess('CSV uploaded successfully');
}
