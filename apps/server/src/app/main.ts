import { enableCompileCache } from 'node:module';
import { resolve } from 'node:path';

// Before anything else is loaded: what was compiled once is kept beside the packages, which takes nearly half of the work
// out of loading. A directory that cannot be written to is no failure.
enableCompileCache(resolve(import.meta.dirname, '../../../../node_modules/.cache/compiled'));
const { run } = await import('./run.ts');

await run();
