import type { Preview } from '@steward/contract/retention';
import type { RetentionKind } from '@steward/contract/retention/fields';
import { useEffect, useRef, useState } from 'react';
import { getFailureMessage } from '#platform/api/failure.ts';
import { getPreview } from '../retention.queries.ts';
import type { Group, Setting } from '../rules/groups.ts';
import type { Rules } from '../rules/retention.form.ts';

/** A count that takes longer than this shows its dialog already. Milliseconds. */
const COUNTING_DELAY_MS = 300;

/** What a rule would delete, by its setting. */
export interface Impact {
  setting: Setting;
  preview: Preview;
}

/** What the dialog before a save shows. */
export type Asked =
  | { step: 'counting' }
  | { step: 'failed'; reason: string }
  | { step: 'ready'; harms: readonly Impact[]; rules: Rules };

interface PreviewRequest {
  rules: Rules;
  /** The settings that were changed: only they are asked about. */
  settings: readonly Setting[];
  onNoImpact: () => void;
}

/** Counts what rules would delete. Nothing is saved by it, and nothing is saved after it without an answer. */
export function usePreview(group: Group, teamId: string) {
  const [asked, setAsked] = useState<Asked>({ step: 'counting' });
  const [opened, setOpened] = useState(false);
  const [isCounting, setCounting] = useState(false);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const close = () => {
    running.current?.abort();
    setCounting(false);
    setOpened(false);
  };
  const show = (next: Asked) => {
    setAsked(next);
    setOpened(true);
  };
  const preview = async ({ rules, settings, onNoImpact }: PreviewRequest) => {
    running.current?.abort();
    running.current = new AbortController();
    const { signal } = running.current;
    const countingTimer = setTimeout(() => !signal.aborted && show({ step: 'counting' }), COUNTING_DELAY_MS);
    setCounting(true);
    if (opened) setAsked({ step: 'counting' });
    try {
      const harms = getImpacts(settings, await getPreview(group, teamId, { rules, signal }));
      if (harms.length === 0) onNoImpact();
      else show({ step: 'ready', harms, rules });
    } catch (thrown) {
      if (!signal.aborted) show({ step: 'failed', reason: getFailureMessage(thrown) });
    } finally {
      clearTimeout(countingTimer);
      if (!signal.aborted) setCounting(false);
    }
  };
  return { asked, opened, isCounting, preview, close };
}

function getImpacts(
  settings: readonly Setting[],
  previews: Partial<Record<RetentionKind, Preview | undefined>>,
): readonly Impact[] {
  return settings.flatMap((setting) => {
    const preview = previews[setting.kind];
    // A setting that the answer leaves out was not counted, and that is no leave to save it.
    if (preview === undefined) throw new Error('Not everything could be counted. Please try again.');
    return preview.deletes_more ? [{ setting, preview }] : [];
  });
}
