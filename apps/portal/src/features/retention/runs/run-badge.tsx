import type { RunState } from '@steward/contract/retention';
import { StateBadge, type Tone } from '#platform/feedback/state-badge.tsx';
import { STATE_WORDS } from '../retention-text.ts';

const TONES: Readonly<Record<RunState, Tone>> = {
  running: 'active',
  finished: 'quiet',
  stopped: 'warning',
  refused: 'warning',
  failed: 'danger',
};

/** How a run stands, in a word. */
export function RunBadge({ state }: { state: RunState }) {
  return <StateBadge tone={TONES[state]} word={STATE_WORDS[state]} />;
}
