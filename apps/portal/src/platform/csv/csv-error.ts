/** A file that cannot be read as the CSV that was asked for: `message` says so, `hint` says what exactly and what to do. */
export class CsvError extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.name = 'CsvError';
    this.hint = hint;
  }
}
