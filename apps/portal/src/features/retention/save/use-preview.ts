import type { Preview } from '@steward/contract/retention';
import type { RetentionKind } from '@steward/contract/retention/fields';
import { useEffect, useRef, useState } from 'react';
import { failureText } from '#platform/api/failure.ts';
import { previewOf } from '../retention.queries.ts';
import type { Group, Setting } from '../rules/groups.ts';
import type { Rules } from '../rules/retention.form.ts';

/** A count that takes longer than this shows its dialog already. Milliseconds. */
const PATIENCE_MS = 300;

/** What a rule would delete, by its setting. */
export interface Harm {
  setting: Setting;
  preview: Preview;
}

/** What the dialog before a save shows. */
export type Asked =
  | { step: 'counting' }
  | { step: 'failed'; reason: string }
  | { step: 'ready'; harms: readonly Harm[]; rules: Rules };

interface Previewed {
  rules: Rules;
  /** The settings that were changed: only they are asked about. */
  settings: readonly Setting[];
  onHarmless: () => void;
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
  const preview = async ({ rules, settings, onHarmless }: Previewed) => {
    running.current?.abort();
    running.current = new AbortController();
    const { signal } = running.current;
    const patience = setTimeout(() => !signal.aborted && show({ step: 'counting' }), PATIENCE_MS);
    setCounting(true);
    if (opened) setAsked({ step: 'counting' });
    try {
      const harms = harmsOf(settings, await previewOf(group, teamId, { rules, signal }));
      if (harms.length === 0) onHarmless();
      else show({ step: 'ready', harms, rules });
    } catch (thrown) {
      if (!signal.aborted) show({ step: 'failed', reason: failureText(thrown) });
    } finally {
      clearTimeout(patience);
      if (!signal.aborted) setCounting(false);
    }
  };
  return { asked, opened, isCounting, preview, close };
}

function harmsOf(
  settings: readonly Setting[],
  previews: Partial<Record<RetentionKind, Preview | undefined>>,
): readonly Harm[] {
  return settings.flatMap((setting) => {
    const preview = previews[setting.kind];
    // A setting that the answer leaves out was not counted, and that is no leave to save it.
    if (preview === undefined) throw new Error('Not everything could be counted. Please try again.');
    return preview.deletes_more ? [{ setting, preview }] : [];
  });
}
