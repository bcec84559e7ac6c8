/** Names that go together; each last name belongs to one pool, so that a full name never comes from two. */
export interface NamePool {
  /** Number of people from this pool among every twenty. */
  share: number;
  firsts: readonly Name[];
  lasts: readonly Name[];
}

interface Name {
  text: string;
  /** The name as part of an address: a–z and 0–9. */
  slug: string;
}

const SHARES = { en: 7, de: 3, fr: 2, es: 2, it: 2, nl: 1, tr: 1, en_IN: 2 } as const;

/** Letters that NFD doesn't decompose. */
const LETTERS: Record<string, string> = { ß: 'ss', ı: 'i', ł: 'l', ø: 'o', æ: 'ae', œ: 'oe', đ: 'd' };

let loaded: Promise<NamePool[]> | undefined;

/** Loads faker's name lists at the first call, so that a server without generated people doesn't keep them in memory. */
export function loadNames(): Promise<NamePool[]> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<NamePool[]> {
  const lists = {
    en: await import('@faker-js/faker/locale/en'),
    de: await import('@faker-js/faker/locale/de'),
    fr: await import('@faker-js/faker/locale/fr'),
    es: await import('@faker-js/faker/locale/es'),
    it: await import('@faker-js/faker/locale/it'),
    nl: await import('@faker-js/faker/locale/nl'),
    tr: await import('@faker-js/faker/locale/tr'),
    en_IN: await import('@faker-js/faker/locale/en_IN'),
  };
  const takenLasts = new Set<string>();
  return (Object.keys(SHARES) as (keyof typeof SHARES)[]).map((locale) => {
    const names = lists[locale].faker.rawDefinitions.person;
    return {
      share: SHARES[locale],
      firsts: getNames(names?.first_name, new Set()),
      lasts: getNames(names?.last_name, takenLasts),
    };
  });
}

function getNames(lists: Readonly<Record<string, readonly string[]>> | undefined | null, taken: Set<string>): Name[] {
  const names: Name[] = [];
  for (const text of Object.values(lists ?? {}).flat()) {
    const slug = toSlug(text);
    if (slug === '' || taken.has(slug)) continue;
    taken.add(slug);
    names.push({ text: text.normalize('NFC'), slug });
  }
  return names;
}

function toSlug(text: string): string {
  const plain = text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
  return plain.replace(/[^a-z0-9]/g, (char) => LETTERS[char] ?? '');
}
