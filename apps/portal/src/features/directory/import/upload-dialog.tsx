import { Button, Text } from '@mantine/core';
import { getImport, type Import, listImports } from '@steward/contract/directory';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Icon } from '#platform/page/icon.tsx';
import { productSlug } from '#platform/product/product.ts';
import { type Upload, useUpload } from '#platform/upload/session/use-upload.ts';
import { ChooseStep, ColumnName } from '#platform/upload/steps/upload-choose.tsx';
import { UploadFrame } from '#platform/upload/steps/upload-frame.tsx';
import { PreviewStep } from '#platform/upload/steps/upload-preview.tsx';
import { ReadingStep, StoringStep } from '#platform/upload/steps/upload-progress.tsx';
import { ResultStep } from '#platform/upload/steps/upload-result.tsx';
import type { UploadView } from '#platform/upload/steps/upload-view.ts';
import type { UploadDialogProps } from '#platform/upload/upload-button.tsx';
import { listNotes, OUTCOME_WORDS } from './directory-upload-text.ts';
import { COLUMNS } from './file/upload-rows.rules.ts';
import { UndoConfirm } from './history/imports-confirm.tsx';
import { RecentImports } from './history/imports-list.tsx';
import { UndoProgress } from './history/imports-undo.tsx';
import { directoryUploads } from './upload/upload-calls.ts';
import { getDisplayCell } from './upload/upload-changes.ts';

const VIEW: UploadView = {
  outcomes: OUTCOME_WORDS,
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
    Id update that entry; rows without one add a new entry. Start from Download CSV to get the right format.
  </>
);

/** The upload in three steps, earlier imports, and undoing one of them. */
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
