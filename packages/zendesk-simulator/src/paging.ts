import { type Answer, errors, json } from './responses.ts';

const LARGEST_PAGE = 100;
const DEEPEST = 10_000;

export interface CursorPage<T> {
  records: T[];
  meta: { has_more: boolean; after_cursor?: string; before_cursor?: string };
  links: { next?: string; prev?: string };
}

/** Returns a page by `page[size]` and `page[after]` or `page[before]`; links to other pages use `url`. */
export function byCursor<T extends { id: string | number }>(
  all: T[],
  query: URLSearchParams,
  url: string,
): CursorPage<T> | Answer {
  const size = Number(query.get('page[size]') ?? LARGEST_PAGE);
  if (!Number.isInteger(size) || size < 1 || size > LARGEST_PAGE) return wrong('page[size]');
  const end = (name: string) => all.findIndex(({ id }) => cursor(id) === query.get(name));
  if (query.has('page[after]') && end('page[after]') < 0) return wrong('page[after]');
  if (query.has('page[before]') && end('page[before]') < 0) return wrong('page[before]');
  const from = query.has('page[before]') ? Math.max(0, end('page[before]') - size) : end('page[after]') + 1;
  const records = all.slice(from, from + size);
  const [first, last] = [records[0], records.at(-1)];
  const to = (name: string, id: string | number) => {
    const other = new URLSearchParams(query);
    other.delete('page[after]');
    other.delete('page[before]');
    other.set(name, cursor(id));
    return `${url}?${decodeURIComponent(other.toString())}`;
  };
  return {
    records,
    meta: {
      has_more: from + size < all.length,
      ...(last && { after_cursor: cursor(last.id) }),
      ...(first && { before_cursor: cursor(first.id) }),
    },
    links: {
      ...(last && from + size < all.length && { next: to('page[after]', last.id) }),
      ...(first && from > 0 && { prev: to('page[before]', first.id) }),
    },
  };
}

/** Returns a page by `page` and `per_page`, which Zendesk allows for the first 10,000 records. */
export function byOffset<T>(
  all: T[],
  query: URLSearchParams,
  url: string,
): { records: T[]; count: number; next_page: string | null; previous_page: string | null } | Answer {
  const page = Number(query.get('page') ?? 1);
  const size = Math.min(LARGEST_PAGE, Number(query.get('per_page') ?? LARGEST_PAGE));
  if (!(page >= 1 && size >= 1)) return wrong('page');
  if (page * size > DEEPEST) {
    return json(400, {
      error: { title: 'InvalidPaginationDepth', message: 'Offset pages end at 10000 records; use cursors.' },
    });
  }
  const to = (number: number) => {
    const other = new URLSearchParams(query);
    other.set('page', String(number));
    return `${url}?${other}`;
  };
  return {
    records: all.slice((page - 1) * size, page * size),
    count: all.length,
    next_page: page * size < all.length ? to(page + 1) : null,
    previous_page: page > 1 ? to(page - 1) : null,
  };
}

export function isResponse(page: object): page is Answer {
  return 'status' in page;
}

function cursor(id: string | number): string {
  return Buffer.from(`c:${id}`).toString('base64');
}

function wrong(name: string): Answer {
  return errors(400, { code: 'InvalidPaginationParameter', title: `${name} is not valid` });
}
