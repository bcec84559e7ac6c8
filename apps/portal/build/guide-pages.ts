import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Marked, Renderer } from 'marked';
import type { Plugin } from 'vite';
import type { GuidePage } from '#features/guide/pages.ts';

const GUIDE = join(import.meta.dirname, '../../../docs/guide');
const NAME = 'virtual:guide/';

/** A page with the picture files that it shows; its HTML has `{picture N}` in place of the address of the Nth one. */
interface ParsedPage extends GuidePage {
  pictures: string[];
}

/** Headings get the ids that GitHub gives them, so that the same links work in both places. */
function toHeadingId(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

export function parseGuidePage(markdown: string): ParsedPage {
  const page: ParsedPage = { title: '', html: '', sections: [], pictures: [] };
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const id = toHeadingId(text);
        const title = this.parser.parseInline(tokens);
        if (depth === 1) page.title = text;
        if (depth === 2) page.sections.push({ id, title: text });
        return depth === 1 ? '' : `<h${depth} id="${id}">${title}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const target = getTarget(href);
        // Pages for operators and contributors are in the repository only.
        return target === undefined ? text : `<a ${target}>${text}</a>`;
      },
      image({ href, text }) {
        page.pictures.push(href);
        return `<img src="{picture ${page.pictures.length - 1}}" alt="${text}" loading="lazy" width="1440" height="900">`;
      },
      table(token) {
        // A table may be wider than a phone, so it scrolls inside its own frame.
        return `<div data-table tabindex="0">${Renderer.prototype.table.call(this, token)}</div>\n`;
      },
    },
  });
  // The list of sections is for readers on GitHub: the portal shows its own.
  page.html = marked.parse(markdown.replace(/^(- \[.*\]\(#.*\)\n)+/m, ''), { async: false });
  return page;
}

/** The attributes of a link; undefined for a page that the portal does not have. */
function getTarget(href: string): string | undefined {
  if (/^https:/.test(href)) return `href="${href}" target="_blank" rel="noreferrer"`;
  const [, file, hash = ''] = /^([\w-]+\.md)?(#.*)?$/.exec(href) ?? [];
  if (file === undefined) return hash === '' ? undefined : `href="${hash}"`;
  return `href="/guide/${file.slice(0, -'.md'.length)}${hash}"`;
}

/** Each page of `docs/guide` becomes the module `virtual:guide/<name>`, and its pictures become files of the portal. */
export const guidePages: Plugin = {
  name: 'guide-pages',
  resolveId: (id) => (id.startsWith(NAME) ? `\0${id}` : undefined),
  load(id) {
    if (!id.startsWith(`\0${NAME}`)) return undefined;
    const file = join(GUIDE, `${id.slice(NAME.length + 1)}.md`);
    this.addWatchFile(file);
    const { pictures, ...page } = parseGuidePage(readFileSync(file, 'utf8'));
    return [
      ...pictures.map((picture, at) => `import p${at} from ${JSON.stringify(join(GUIDE, picture))};`),
      `const pictures = [${pictures.map((_, at) => `p${at}`).join()}];`,
      `export const page = ${JSON.stringify(page)};`,
      'page.html = page.html.replace(/\\{picture (\\d+)\\}/g, (_, at) => pictures[at]);',
    ].join('\n');
  },
};
