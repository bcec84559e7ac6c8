import assert from 'node:assert/strict';
import { test } from 'vitest';
import { addEntries, createEntryForm, EntryForm, saveEntries, uploadEntries } from './directory.ts';
import type { EmailEndings } from './fields.ts';

const parseEmail = (email: string, endings: EmailEndings = 'short') => {
  const { data, error } = createEntryForm(endings).safeParse({ name: 'x', email });
  return data ? { email: data.email } : { fault: error?.issues[0]?.message };
};

test('an address is trimmed, lowercased and accepted if it has a local part, @, a domain and a TLD of 2 to 4 letters', () => {
  for (const [typed, stored] of [
    ['', ''],
    ['  ', ''],
    ['a@b.co', 'a@b.co'],
    [' Anna.Miller@Example.COM ', 'anna.miller@example.com'],
    ["o'brien+home@mail.example.info", "o'brien+home@mail.example.info"],
    ['1@2.de', '1@2.de'],
    ['first_last-x@a-b.c-d.net', 'first_last-x@a-b.c-d.net'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  ] as const)
    assert.deepEqual(parseEmail(typed), { email: stored }, typed);
});

test('what is wrong with an address is said', () => {
  for (const [typed, fault] of [
    ['anna', /^has no @$/],
    ['anna.example.com', /^has no @$/],
    ['a@b@c.com', /more than one @/],
    ['@example.com', /nothing before the @/],
    ['anna@', /nothing after the @/],
    ['an na@example.com', /spaces/],
    ['a@exam ple.com', /spaces/],
    ['anna@example', /must end in a dot and 2 to 4 letters/],
    ['anna@example.c', /must end in/],
    ['anna@example.museum', /must end in/],
    ['anna@example.c0m', /must end in/],
    ['anna@example.com.', /must end in/],
    ['anna@[10.0.0.1]', /must end in/],
    ['anna@.com', /domain that cannot exist/],
    ['anna@a..com', /domain that cannot exist/],
    ['anna@-a.com', /domain that cannot exist/],
    ['anna@a_b.com', /domain that cannot exist/],
    ['.anna@example.com', /before the @/],
    ['anna.@example.com', /before the @/],
    ['an..na@example.com', /before the @/],
    ['änna@example.com', /before the @/],
    ['"an na"@example.com', /spaces/],
    ['anna,bob@example.com', /before the @/],
    ['<anna@example.com>', /before the @/],
    ['anna@exämple.com', /domain that cannot exist/],
    // The Kelvin sign must not become a plain k.
    ['an\u212ax@example.com', /before the @/],
    [`${'a'.repeat(65)}@example.com`, /64 characters before/],
    [`a@${'b.'.repeat(125)}com`, /at most 254/],
    ['a\0@example.com', /before the @/],
    [`${'a'.repeat(1_000_000)}@b.com`, /at most 254/],
  ] as const) {
    const result = parseEmail(typed);
    assert.ok('fault' in result, typed.slice(0, 40));
    assert.match(String(result.fault), fault, typed.slice(0, 40));
  }
});

test('any ending that exists is accepted where the server allows it', () => {
  for (const email of ['anna@example.museum', 'anna@example.xn--p1ai', 'anna@example.photography', 'anna@example.com'])
    assert.deepEqual(parseEmail(email, 'any'), { email });
  for (const email of ['anna@example', 'anna@example.c', 'anna@example.c0m', 'anna@example.com.', 'anna@[10.0.0.1]'])
    assert.match(String(parseEmail(email, 'any').fault), /^must end in a dot and at least 2 letters/, email);
});

test('a name is required, trimmed, composed, and has something to be seen', () => {
  const getName = (name: unknown) => EntryForm.safeParse({ name }).data?.name;
  assert.equal(getName(' Zoe\u0308\n'), 'Zoë');
  assert.equal(getName('مكتب الاستقبال'), 'مكتب الاستقبال');
  assert.equal(getName('🎉'), '🎉');
  assert.equal(getName('a\tb'), 'a\tb');
  for (const bad of ['', ' ', '\u00a0', '\u200b', '\u202e\u202c', '\ufeff', 'a\0', '\ud800', 'x'.repeat(201), 5, null])
    assert.equal(getName(bad), undefined, JSON.stringify(bad));
});

test('numbers are free text of at most 100 characters', () => {
  const form = EntryForm.parse({ name: 'x', phone_number: ' +49 30 1234, ext. 12 ', sms: '' });
  assert.deepEqual(form, { name: 'x', phone_number: '+49 30 1234, ext. 12', sms: '' });
  for (const sms of ['1'.repeat(101), 5, null, '\0']) assert.ok(!EntryForm.safeParse({ name: 'x', sms }).success);
});

test('a list to add or change holds 1 to 1,000 entries, an upload 1 to 5,000 rows', () => {
  const fits = (schema: { safeParse(value: unknown): { success: boolean } } | undefined, length: number) => {
    const id = (at: number) => String(at).padStart(26, '0');
    return schema?.safeParse(Array.from({ length }, (_, at) => ({ id: id(at), name: 'x' }))).success;
  };
  for (const [schema, most] of [
    [addEntries.body, 1_000],
    [saveEntries.body, 1_000],
    [uploadEntries.body, 5_000],
  ] as const)
    assert.deepEqual(
      [0, 1, most, most + 1].map((length) => fits(schema, length)),
      [false, true, true, false],
    );
});

test('a list of changes names each entry once', () => {
  const edit = { id: 'a'.repeat(26), name: 'x' };
  assert.ok(saveEntries.body?.safeParse([edit]).success);
  assert.match(saveEntries.body?.safeParse([edit, edit]).error?.issues[0]?.message ?? '', /names an entry twice/);
});
