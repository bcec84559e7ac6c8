import type { Sample } from '../session/upload-forecast.ts';
import type { Outcome } from '../session/upload-kind.ts';

/** A cell of the preview: the value to store, and the stored value if that is different. */
export interface DisplayCell {
  text: string;
  before: string | undefined;
}

/** The texts of an upload depend on the kind of its rows. */
export interface UploadView {
  /** Labels for the effect that rows would have. */
  outcomes: Readonly<Record<Outcome, string>>;
  /** Says that rows match existing records, if the user decides about them. */
  describeMatches?: (matches: number) => string;
  /** Rows of an outcome in a sentence, such as “new rows”. */
  describeRows: (outcome: Outcome, rows: 'row' | 'rows') => string;
  /** Labels for the effect that rows had. */
  results: Readonly<Record<Outcome, string>>;
  columns: readonly { name: string; label: string; width?: number }[];
  getCell: (sample: Sample, field: string) => DisplayCell;
  errorCsvName: () => string;
  /** Label of the button that stores the rows, before their number. */
  verb: string;
  /** The reason why there is nothing to store. */
  nothing: string;
}
