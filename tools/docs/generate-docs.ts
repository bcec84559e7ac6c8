// `npm run generate:docs` writes the page of tables that are generated from the code.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderReference } from './render-reference.ts';

writeFileSync(join(import.meta.dirname, '../../docs/reference.md'), renderReference());
