// `npm run dev` starts the server, which restarts when its files change, and Vite, which proxies the portal's calls to it.
import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const portal = join(root, 'apps/portal');
const vite = join(createRequire(join(portal, 'package.json')).resolve('vite/package.json'), '../bin/vite.js');

const serverPort = process.env.PORT || '8065';
const pagePort = process.env.DEV_PORT || '5173';
// Links in email lead to Vite.
process.env.PUBLIC_URL ||= `http://localhost:${pagePort}`;
process.env.LOG_LEVEL ||= 'warn';
process.env.STEWARD_API = `http://127.0.0.1:${serverPort}`;

const children = [
  start(root, ['--watch', '--watch-preserve-output', 'apps/server/src/app/main.ts']),
  start(portal, [vite, '--port', pagePort, '--strictPort', '--clearScreen', 'false']),
];

let ending = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => endAll(0));
for (const child of children) child.on('exit', (code) => endAll(code ?? 1));

function start(cwd: string, args: string[]): ChildProcess {
  return spawn(process.execPath, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
}

/** Stops the other child; a second signal after the terminal's Ctrl-C is harmless. */
function endAll(code: number): void {
  if (ending) return;
  ending = true;
  process.exitCode = code;
  for (const child of children) if (child.exitCode === null) child.kill('SIGTERM');
}
