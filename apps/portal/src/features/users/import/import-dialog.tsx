import { PROFILE_FIELDS, PROFILE_TEXTS } from '@steward/contract/users';
import { Fragment } from 'react';
import { productSlug } from '#platform/product/product.ts';
import { useUpload } from '#platform/upload/session/use-upload.ts';
import { ChooseStep, ColumnName } from '#platform/upload/steps/upload-choose.tsx';
import { UploadFrame } from '#platform/upload/steps/upload-frame.tsx';
import { PreviewStep } from '#platform/upload/steps/upload-preview.tsx';
import { ReadingStep, StoringStep } from '#platform/upload/steps/upload-progress.tsx';
import { ResultStep } from '#platform/upload/steps/upload-result.tsx';
import type { UploadView } from '#platform/upload/steps/upload-view.ts';
import type { UploadDialogProps } from '#platform/upload/upload-button.tsx';
import { userImports } from './import-calls.ts';
import { getDisplayCell, listNotes } from './import-text.ts';
import { COLUMNS } from './users-file.csv.ts';

const WIDE_COLUMNS = COLUMNS.map((column) => (column.name === 'email' ? column : { ...column, width: 112 }));

const VIEW: UploadView = {
  outcomes: { created: 'To invite', changed: 'To change', unchanged: 'Unchanged', failed: 'Errors' },
  describeRows: (outcome, rows) =>
    ({
      created: `${rows} to invite`,
      changed: `${rows} to change`,
      unchanged: `unchanged ${rows}`,
      failed: `${rows} with errors`,
    })[outcome],
  results: { created: 'Invited', changed: 'Changed', unchanged: 'Unchanged', failed: 'Not added' },
  // The address is the longest text of a row.
  columns: WIDE_COLUMNS,
  getCell: getDisplayCell,
  errorCsvName: () => `${productSlug()}-users-errors.csv`,
  verb: 'Import',
  nothing: 'Nothing to import: everyone in this file is already in the team.',
};

const FORMAT = (
  <>
    The file has the columns{' '}
    {PROFILE_FIELDS.map((name) => (
      <Fragment key={name}>
        <ColumnName>{PROFILE_TEXTS[name].column}</ColumnName>,{' '}
      </Fragment>
    ))}
    <ColumnName>Email</ColumnName> and <ColumnName>Account Type</ColumnName>; only Email is required. A column{' '}
    <ColumnName>End Date</ColumnName> with dates such as 2027-03-31 sets when access ends. New addresses are invited,
    and users with a known address are changed. Start from Download CSV to get the right format.
  </>
);

export function ImportDialog({ teamId, opened, dropped, onClose, onBusy, onChanged }: UploadDialogProps) {
  const upload = useUpload({ createKind: () => userImports(teamId), dropped, onStored: onChanged });
  const { session } = upload;
  const close = () => {
    session.reset();
    onClose();
  };
  return (
    <UploadFrame
      upload={upload}
      opened={opened}
      title="Import CSV"
      leaveDetail="The import will stop. People who were already invited or changed stay that way."
      onClose={close}
      onBusy={onBusy}
    >
      <CurrentStep upload={upload} onClose={close} />
    </UploadFrame>
  );
}

/** Few files have end dates, so the column is only shown for those. */
function toView(missing: readonly string[]): UploadView {
  if (!missing.includes('End Date')) return VIEW;
  return { ...VIEW, columns: WIDE_COLUMNS.filter(({ name }) => name !== 'end_date') };
}

function CurrentStep({ upload, onClose }: { upload: ReturnType<typeof useUpload>; onClose: () => void }) {
  const { session, step, note } = upload;
  switch (step.at) {
    case 'choose':
      return <ChooseStep step={step} upload={upload} format={FORMAT} onClose={onClose} />;
    case 'reading':
      return <ReadingStep step={step} onCancel={session.cancel} />;
    case 'preview':
      return (
        <PreviewStep
          step={step}
          view={toView(step.file.missing)}
          note={note}
          notes={listNotes(step)}
          session={session}
        />
      );
    case 'storing':
      return <StoringStep step={step} session={session} />;
    case 'result':
      return <ResultStep step={step} view={VIEW} onDone={onClose} />;
  }
}
