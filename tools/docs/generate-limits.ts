// `npm run generate:limits`: writes the table of limits into the administration guide.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderLimits } from './limits-table.ts';

const GUIDE = join(import.meta.dirname, '../../docs/operator-guide.md');
const guide = readFileSync(GUIDE, 'utf8');
const from = guide.indexOf('| Name | Counts |');
const to = guide.indexOf('\n\n', from);
if (from < 0 || to < 0) throw new Error('The guide has no table of limits.');
writeFileSync(GUIDE, guide.slice(0, from) + renderLimits() + guide.slice(to));
