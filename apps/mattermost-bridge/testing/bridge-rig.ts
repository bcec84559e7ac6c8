import { createBridge, reportSetup, runRound, takeLease } from '../src/bridge.ts';
import { createMattermost } from '../src/mattermost.client.ts';
import { createSteward } from '../src/steward.client.ts';
import { startSteward } from './fake-steward.ts';
import { rig } from './rig.ts';

export type BridgeRig = Awaited<ReturnType<typeof bridgeRig>>;

/** A server and Steward with a bridge between them that has the lease and has checked the server. */
export async function bridgeRig() {
  const rigged = await rig();
  const steward = await startSteward();
  steward.mappings.push({ remote_team_id: rigged.team.id, accepted: true, paused: false, direct_messages: false });
  let shift = 0;
  const now = () => Date.now() + shift;
  steward.now = now;
  const lines: string[] = [];
  const mattermost = createMattermost({ url: rigged.at.url, token: rigged.token });
  const bridge = createBridge({
    mattermost,
    urgent: mattermost,
    name: 'test',
    now,
    steward: createSteward({ url: steward.url, token: steward.token }),
    print: (line) => void lines.push(line),
  });
  await takeLease(bridge);
  await reportSetup(bridge);
  return {
    ...rigged,
    steward,
    bridge,
    lines,
    pass(ms: number) {
      shift += ms;
    },
    /** Runs rounds until one has nothing to do. */
    async settle() {
      for (let round = 0; round < 500; round += 1) {
        await takeLease(bridge);
        if ((await runRound(bridge)) === 'nothing') return;
      }
      throw new Error(`The bridge does not come to rest: ${lines.join('\n')}`);
    },
    async [Symbol.asyncDispose]() {
      await steward[Symbol.asyncDispose]();
      await rigged[Symbol.asyncDispose]();
    },
  };
}

/** Opens an order for everything in the mirror that is older than 30 days. */
export function openOrder({ steward }: BridgeRig): void {
  const now = steward.now();
  steward.order = { cutoff: now - 30 * 86_400_000, openedAt: now, rows: 0 };
}
