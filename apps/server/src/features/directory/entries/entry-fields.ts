/** Fields of an entry to be written; null leaves what is stored. */
export interface EntryFields {
  name: string | null;
  phone_number: string | null;
  sms: string | null;
  email: string | null;
}

/** A row of an upload that is valid by itself; `id` '' adds an entry. `at` is its place in the request. */
export interface UploadedRow extends EntryFields {
  at: number;
  id: string;
}
