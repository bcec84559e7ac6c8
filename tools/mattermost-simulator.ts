// `npm run mattermost-simulator` starts a simulated Mattermost server, for trying what works with one.
import { parseArgs } from 'node:util';
import { type MattermostSimulator, startMattermost } from '@steward/mattermost-simulator/simulator.ts';

const DAY_MS = 86_400_000;

const { values } = parseArgs({ options: { port: { type: 'string', default: '8067' } } });
const port = Number(values.port);
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  process.stderr.write('--port takes a number from 0 to 65535.\n');
  process.exit(1);
}

/** A team with two people, a channel of messages from the last two years, and a direct channel. */
function fill(at: MattermostSimulator): void {
  const [ada, ben] = ['ada', 'ben'].map((username) => at.addUser(username, { password: 'Person-pass-1' }));
  if (!ada || !ben) return;
  const talk = at.addChannel(at.addTeam('orchard', [ada, ben]), 'talk');
  for (const user of [ada, ben]) at.addToChannel(talk, user);
  for (let day = 730; day > 0; day -= 1) {
    const create_at = Date.now() - day * DAY_MS;
    const file = day % 10 === 0 ? [at.file(ada, 'note.txt').id] : [];
    const root = at.importPost(talk, ada, { message: `Day ${day}`, file_ids: file, create_at });
    at.importPost(talk, ben, { message: 'Thanks', root_id: root.id, create_at: create_at + 60_000 });
  }
  at.post(at.openDirect(ada, ben), ada, { message: 'Hello' });
}

try {
  const simulator = await startMattermost({ port });
  const { token } = simulator.addAdminBot();
  simulator.set('ServiceSettings', 'EnableAPIPostDeletion', true);
  fill(simulator);
  process.stdout.write(`
Mattermost simulator  ${simulator.url}

  Token               ${token}, of a bot with the rights of a system admin
  People              ada and ben, Person-pass-1

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
