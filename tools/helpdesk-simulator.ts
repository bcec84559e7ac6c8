// `npm run helpdesk-simulator` starts the simulated help desk, for trying the integration's screens.
import { parseArgs } from 'node:util';
import { startHelpdeskSimulator } from '@steward/zendesk-simulator/simulator.ts';

const { values } = parseArgs({ options: { port: { type: 'string', default: '8066' } } });
const port = Number(values.port);
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  process.stderr.write('--port takes a number from 0 to 65535.\n');
  process.exit(1);
}

try {
  const simulator = await startHelpdeskSimulator({ port });
  process.stdout.write(`
Help-desk simulator   ${simulator.url}

  Start the product   HELPDESK_URL='${simulator.template}' npm start
  Domain              acme
  API token           ada@acme.example, acme-token
  OAuth client        steward, acme-secret
  Password            ada@acme.example, acme-password; works once password access is switched on, or with globex

Everything is kept in memory only. Ctrl-C ends it.
`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void simulator[Symbol.asyncDispose]());
  }
} catch (error) {
  const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  process.stderr.write(taken ? `Port ${port} is in use; take another with -- --port.\n` : `${String(error)}\n`);
  process.exit(1);
}
