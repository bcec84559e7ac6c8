import { Button, Text } from '@mantine/core';
import type { Answer } from '@steward/contract/api/endpoint';
import { UPLOAD_BODY_MAX } from '@steward/contract/api/limits';
import {
  type Entry,
  finishImport,
  getImport,
  type Import,
  listImports,
  ROW_FIELDS,
  startImport,
  type UploadRow,
  uploadEntries,
} from '@steward/contract/directory';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '#platform/api/api.ts';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import { showFailure } from '#platform/feedback/alerts.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { productSlug } from '#platform/product/product.ts';
import type { IfExists, PreviewAnswer, Texts, UploadCalls, UploadKind } from '#platform/upload/session/upload-kind.ts';
import { type Upload, useUpload } from '#platform/upload/session/use-upload.ts';
import { ChooseStep, ColumnName } from '#platform/upload/steps/upload-choose.tsx';
import { UploadFrame } from '#platform/upload/steps/upload-frame.tsx';
import { PreviewStep } from '#platform/upload/steps/upload-preview.tsx';
import { ReadingStep, StoringStep } from '#platform/upload/steps/upload-progress.tsx';
import { ResultStep } from '#platform/upload/steps/upload-result.tsx';
import { formatCount } from '#platform/upload/steps/upload-text.ts';
import type { UploadView } from '#platform/upload/steps/upload-view.ts';
import type { UploadDialogProps } from '#platform/upload/upload-button.tsx';
import { createErrorCsv, openDirectoryFile } from './directory.csv.ts';
import { formatMatches, getDisplayCell, listNotes, OUTCOME_WORDS } from './directory-upload-text.ts';
import { importName, RecentImports } from './imports-list.tsx';
import { UndoProgress } from './imports-undo.tsx';
import { undoing } from './upload.queries.ts';
import { COLUMNS } from './upload-rows.rules.ts';

const VIEW: UploadView = {
  outcomes: OUTCOME_WORDS,
  describeMatches: formatMatches,
  describeRows: (outcome, rows) => `${OUTCOME_WORDS[outcome].toLowerCase()} ${rows}`,
  results: { created: 'Added', changed: 'Updated', unchanged: 'Unchanged', failed: 'Not added' },
  columns: COLUMNS.filter(({ name }) => name !== 'id'),
  getCell: getDisplayCell,
  errorCsvName: () => `${productSlug()}-compdir-errors.csv`,
  verb: 'Upload',
  nothing: 'Nothing to import: all rows are already in the directory.',
};

const FORMAT = (
  <>
    The file has the columns <ColumnName>Id</ColumnName>, <ColumnName>Name</ColumnName>,{' '}
    <ColumnName>Phone Number</ColumnName>, <ColumnName>Sms</ColumnName> and <ColumnName>Email</ColumnName>. Rows with an
    Id update that entry; rows without one add a new entry, unless you choose otherwise for entries that are there
    already. Start from Download CSV to get the right format.
  </>
);

export function UploadDialog({ teamId, opened, dropped, onClose, onBusy, onChanged }: UploadDialogProps) {
  const upload = useDirectoryUpload({ teamId, dropped, onChanged });
  const { session, step } = upload;
  const [undoTarget, setUndoTarget] = useState<Import | null>(null);
  const [undone, setUndone] = useState('');
  useEffect(() => {
    if (step.at === 'reading') setUndone('');
  }, [step.at]);
  const close = () => {
    session.reset();
    onClose();
  };
  const back = () => {
    setUndone('');
    session.reset();
  };
  return (
    <>
      <UploadFrame
        upload={upload}
        opened={opened}
        title="Upload CSV"
        {...(undone !== '' && { place: 'Undo' })}
        closable={undoTarget === null}
        leaveDetail="The upload will stop. Rows already imported stay, and you can undo them under Recent imports."
        onClose={close}
        onBusy={onBusy}
      >
        {undone !== '' ? (
          <UndoProgress teamId={teamId} importId={undone} onChanged={onChanged} onBack={back} onDone={close} />
        ) : (
          <CurrentStep teamId={teamId} upload={upload} onUndo={setUndoTarget} onShowUndo={setUndone} onClose={close} />
        )}
      </UploadFrame>
      <UndoConfirm teamId={teamId} imported={undoTarget} onClose={() => setUndoTarget(null)} onUndoing={setUndone} />
    </>
  );
}

function useDirectoryUpload({
  teamId,
  dropped,
  onChanged,
}: Pick<UploadDialogProps, 'teamId' | 'dropped' | 'onChanged'>) {
  const client = useQueryClient();
  return useUpload({
    createKind: () => directoryUploads(teamId),
    dropped,
    onStored: () => {
      for (const { name } of [listImports, getImport]) void client.invalidateQueries({ queryKey: [name] });
      onChanged();
    },
  });
}

interface StepProps {
  teamId: string;
  upload: Upload<Import>;
  onUndo: (imported: Import) => void;
  onShowUndo: (importId: string) => void;
  onClose: () => void;
}

function CurrentStep({ teamId, upload, onUndo, onShowUndo, onClose }: StepProps) {
  const { session, step, note } = upload;
  switch (step.at) {
    case 'choose':
      return (
        <ChooseStep step={step} upload={upload} format={FORMAT} onClose={onClose}>
          <RecentImports teamId={teamId} onUndo={onUndo} onShowUndo={onShowUndo} />
        </ChooseStep>
      );
    case 'reading':
      return <ReadingStep step={step} onCancel={session.cancel} />;
    case 'preview':
      return <PreviewStep step={step} view={VIEW} note={note} notes={listNotes(step)} session={session} />;
    case 'storing':
      return <StoringStep step={step} session={session} />;
    case 'result': {
      const { imported, tally } = step.end;
      const undo = imported !== undefined && imported.undo_until > 0 && <UndoButton onClick={() => onUndo(imported)} />;
      return (
        <ResultStep step={step} view={VIEW} buttons={undo} onDone={onClose}>
          {imported === undefined && tally.rows > 0 && (
            <Text c="dimmed">We couldn’t confirm the upload with the server. No action is needed.</Text>
          )}
        </ResultStep>
      );
    }
  }
}

function UndoButton({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="default" leftSection={<Icon name="undo" size={16} />} onClick={onClick}>
      Undo this import
    </Button>
  );
}

interface UndoConfirmProps {
  teamId: string;
  /** The dialog is closed while this is null. */
  imported: Import | null;
  onClose: () => void;
  onUndoing: (importId: string) => void;
}

function UndoConfirm({ teamId, imported, onClose, onUndoing }: UndoConfirmProps) {
  // The text stays readable while the dialog closes.
  const [shown, setShown] = useState(imported);
  if (imported !== null && imported !== shown) setShown(imported);
  const undo = useMutation(undoing);
  if (shown === null) return null;
  const confirm = () =>
    undo.mutate(
      { params: { teamId, importId: shown.id } },
      {
        onSuccess: () => onUndoing(shown.id),
        onError: showFailure,
        onSettled: onClose,
      },
    );
  return (
    <ConfirmDialog
      opened={imported !== null}
      onClose={onClose}
      title="Undo this import"
      question="Undo the changes of this import?"
      detail={
        <>
          <strong>
            <bdi>{importName(shown)}</bdi>
          </strong>
          : {describeUndo(shown)}. Entries that were edited or deleted later stay as they are and are listed. This can’t
          be reversed.
        </>
      }
      confirmLabel="Undo this import"
      danger
      pending={undo.isPending}
      onConfirm={confirm}
    />
  );
}

function describeUndo({ created, changed }: Import): string {
  const removed =
    created === 1
      ? '1 added entry will be removed'
      : `${formatCount(created, 'added entry', 'added entries')} will be removed`;
  const restored =
    changed === 1
      ? '1 updated entry will be restored'
      : `${formatCount(changed, 'updated entry', 'updated entries')} will be restored`;
  if (changed === 0) return removed;
  return created === 0 ? restored : `${removed}, ${restored}`;
}

function directoryUploads(teamId: string): UploadKind<UploadRow, Import> {
  return { calls: uploadCalls(teamId), open: openDirectoryFile, createErrorCsv, toTexts, bodyMax: UPLOAD_BODY_MAX };
}

function toTexts(fields: UploadRow | Entry): Texts {
  return Object.fromEntries(ROW_FIELDS.map((name) => [name, fields[name]]));
}

function uploadCalls(teamId: string): UploadCalls<UploadRow, Import> {
  const params = { teamId };
  return {
    preview: async (rows, { ifExists, signal }) => {
      const query = { preview: '1', ...toQuery(ifExists) } as const;
      return toPreview(await call(uploadEntries, { params, query, body: rows }, { signal }));
    },
    start: (file_name, idempotencyKey) => call(startImport, { params, body: { file_name } }, { idempotencyKey }),
    store: (rows, { importId, key, ifExists }) =>
      call(
        uploadEntries,
        { params, query: { import_id: importId, ...toQuery(ifExists) }, body: rows },
        { idempotencyKey: key },
      ),
    finish: (importId, body) =>
      call(finishImport, { params: { teamId, importId }, body }, { idempotencyKey: `${importId}-finish` }),
  };
}

/** Without the choice, the server adds every row without an id. */
function toQuery(ifExists: IfExists): { if_exists?: 'keep' | 'update' } {
  return ifExists === 'add' ? {} : { if_exists: ifExists };
}

function toPreview({ preview, ...answer }: Answer<typeof uploadEntries>): PreviewAnswer {
  const { outcomes = [], before = [], ...facts } = preview ?? {};
  return { ...answer, outcomes, before: new Map(before.map((entry) => [entry.row, toTexts(entry)])), facts };
}
