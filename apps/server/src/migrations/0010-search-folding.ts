import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Searched columns and search text go through one function that folds letters as well as case. */
export const searchFolding: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const toDigits = (column: string) => `regexp_replace(search_fold(new.${column}), '[^0-9]', '', 'g')`;

const STATEMENTS = [
  // NFKC in lower case, with ß as ss and a final sigma as any other sigma. ASCII text takes the short way. The collation is
  // explicit because the collation of an argument may be "C", which lowercases ASCII only.
  `create or replace function search_fold(value text) returns text language sql immutable parallel safe
    return case when octet_length(value) = length(value) then lower(value collate "default")
      else translate(replace(replace(lower(normalize(value, nfkc) collate "default"), 'ß', 'ss'), 'ẞ', 'ss'), 'ς', 'σ') end`,

  // Escapes after folding, because NFKC turns full-width % and _ into wildcards.
  String.raw`create or replace function search_pattern(query text) returns text language sql immutable parallel safe
    return '%' || regexp_replace(search_fold(query), '([\\%_])', '\\\1', 'g') || '%'`,

  // Triggers, so that nodes of the previous version store folded text too while an upgrade is rolled out.
  `create or replace function fold_membership_search() returns trigger language plpgsql as $$
    begin new.search := search_fold(new.search); return new; end $$`,
  `create trigger fold_membership_search before insert or update of search on memberships
    for each row execute function fold_membership_search()`,

  // Changing the expression of a generated column would rewrite the table under a lock; dropping it doesn't.
  "alter table directory_entries alter column search drop expression, alter column search set default ''",
  `create or replace function fold_entry_search() returns trigger language plpgsql as $$
    begin
      new.search := search_fold(new.name || E'\\n' || new.email || E'\\n' || new.phone_number || E'\\n' || new.sms) || E'\\n'
        || ${toDigits('phone_number')} || E'\\n' || ${toDigits('sms')};
      return new;
    end $$`,
  `create trigger fold_entry_search before insert or update of name, email, phone_number, sms, search on directory_entries
    for each row execute function fold_entry_search()`,
];
