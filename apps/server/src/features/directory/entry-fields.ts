/** Fields of an entry to be written; null leaves what is stored. */
export interface EntryFields {
  name: string | null;
  phone_number: string | null;
  sms: string | null;
  email: string | null;
}

/** A valid row of an upload; `id` '' adds an entry. `at` is its index in the request. */
export interface UploadedRow extends EntryFields {
  at: number;
  id: string;
  /** Fields of a row without id that keep their stored values if the row changes an entry that it matches. */
  keep?: readonly string[];
}
