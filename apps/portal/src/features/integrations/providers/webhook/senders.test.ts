import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'vitest';
import { getGuideSection, SENDERS } from './senders.ts';

it('each sender has a section in the guide', () => {
  const file = join(import.meta.dirname, '../../../../../../../docs/guide/incoming-webhook.md');
  const headings = Array.from(readFileSync(file, 'utf8').matchAll(/^## (.+)$/gm), ([, title = '']) => title);
  const sections = headings.map((title) => title.toLowerCase().replaceAll(' ', '-'));
  for (const { code } of SENDERS) assert.ok(sections.includes(getGuideSection(code)), code);
});
