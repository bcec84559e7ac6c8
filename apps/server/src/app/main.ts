import { enableCompileCache } from 'node:module';
import { resolve } from 'node:path';

// Before anything else is loaded: caching compiled code nearly halves the load time. An unwritable directory is ignored.
enableCompileCache(resolve(import.meta.dirname, '../../../../node_modules/.cache/compiled'));
const { run } = await import('./run.ts');

await run();
