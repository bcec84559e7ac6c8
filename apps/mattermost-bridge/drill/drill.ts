// Runs every point on a server that is given, in teams of its own, and prints one line each.
import { checkSetup } from '../src/check.ts';
import { CallError, createMattermost } from '../src/mattermost.client.ts';
import { ELSEWHERE, POINTS, type Point } from './points.ts';
import { createServer, fence } from './server.ts';
import { clear, closeStage, openStage, Refused, type Stage } from './stage.ts';
import { NotApplicable } from './steps.ts';

export interface DrillOptions {
  url: string;
  token: string;
  print: (line: string) => void;
  pause?: (ms: number) => Promise<unknown>;
  /** The points to run; all unless given. */
  points?: readonly Point[];
}

type State = 'passed' | 'failed' | 'not applicable';
interface Result {
  number: number;
  name: string;
  state: State;
  reason: string;
}

/** Returns 0 if every point passed, 1 if one failed, 2 if the drill could not begin. */
export async function runDrill({ url, token, print, pause, points = POINTS }: DrillOptions): Promise<number> {
  const server = createServer(url, token, pause);
  const mattermost = fence(createMattermost({ url, token, ...(pause && { pause }) }), server.own);
  const { version, me, owner, problems, notes } = await checkSetup(mattermost, { anyVersion: true });
  print(`Mattermost ${version} at ${url}`);
  for (const note of notes) print(`  Note: ${note}`);
  if (me === undefined || problems.length > 0) {
    for (const problem of problems) print(`  Missing: ${problem}`);
    print('The drill did not begin, and nothing was changed.');
    return 2;
  }
  const stage = await openStage(mattermost, server, { me, owner }).catch((error) => {
    if (!(error instanceof Refused || error instanceof CallError)) throw error;
    print(`  ${error.message}`);
    print('The drill did not begin.');
  });
  if (stage === undefined) return 2;
  print('');
  const results: Result[] = [];
  const isClean = await finish(stage, print, async () => {
    for (const point of points) {
      results.push(await runPoint(stage, point));
      print(toLine(results.at(-1) as Result));
      await clear(stage);
    }
    for (const { number, name, reason } of ELSEWHERE) {
      results.push({ number, name, state: 'not applicable', reason });
      print(toLine(results.at(-1) as Result));
    }
  });
  return Math.max(summarize(results, print), isClean ? 0 : 1);
}

/** Runs the points and cleans up after them. Returns false if the server stopped answering in between. */
async function finish(stage: Stage, print: (line: string) => void, work: () => Promise<void>): Promise<boolean> {
  let isClean = true;
  const end = async () => {
    for (const line of await closeStage(stage)) print(line);
  };
  for (const step of [work, end]) {
    await step().catch((error: Error) => {
      isClean = false;
      print(`${step === work ? 'The drill was interrupted' : 'The next drill cleans up'}: ${error.message}`);
    });
  }
  return isClean;
}

async function runPoint(stage: Stage, { number, name, run }: Point): Promise<Result> {
  try {
    return { number, name, state: 'passed', reason: await run(stage) };
  } catch (error) {
    const state = error instanceof NotApplicable ? 'not applicable' : 'failed';
    return { number, name, state, reason: error instanceof Error ? error.message : String(error) };
  }
}

const toLine = ({ number, name, state, reason }: Result) =>
  `${state.padEnd(14)}  ${String(number).padStart(2)}  ${name} (${reason})`;

function summarize(results: readonly Result[], print: (line: string) => void): number {
  const count = (state: State) => results.filter((result) => result.state === state).length;
  print(`\n${count('passed')} passed, ${count('failed')} failed, ${count('not applicable')} not applicable.`);
  return count('failed') === 0 ? 0 : 1;
}
