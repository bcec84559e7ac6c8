import { Button, Group, Loader, Paper, Stack, Text } from '@mantine/core';
import { RETENTION_WAIT_MS } from '@steward/contract/api/limits';
import { type CSSProperties, type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { DialogButtons, ignoreRepeat } from '#platform/dialogs/dialog-buttons.tsx';
import { LeaveDialog, useDiscardPrompt } from '#platform/dialogs/discard-dialog.tsx';
import { SaveBar } from '#platform/forms/save-bar.tsx';
import sheet from '#platform/forms/save-form.module.css';
import { TeamTimestamp } from '#platform/page/facts.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { focusCount } from './rule-fields.tsx';
import type { RulesFormState } from './rules.form.ts';
import type { SavedRules, Setting } from './settings.ts';
import type { Confirmation, Impact, Saving } from './use-save-rules.ts';

/** The preview beside the settings takes the rest of the width. */
const FULL_WIDTH = { '--form-width': 'none' } as CSSProperties;

interface RulesSheetProps<P> {
  label: string;
  settings: readonly Setting[];
  saved: SavedRules;
  form: RulesFormState;
  saving: Saving<P>;
  isReadOnly?: boolean;
  impacts: (impacts: readonly Impact<P>[]) => ReactNode;
  children: ReactNode;
}

/** A form whose rules are saved together, with the question about stricter ones. */
export function RulesSheet<P>({ label, settings, saved, form, saving, isReadOnly, ...parts }: RulesSheetProps<P>) {
  const isUnsaved = form.changed.length > 0;
  const leaving = useDiscardPrompt(isUnsaved);
  const opener = useFocusReturn(saving.confirmation.opened);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    opener.current = document.activeElement;
    const invalid = form.check();
    if (invalid === undefined) saving.save();
    else focusCount(invalid);
  };
  return (
    <form noValidate className={sheet.form} style={FULL_WIDTH} aria-label={label} onSubmit={submit}>
      {parts.children}
      {!isReadOnly && (
        <SaveBar
          isUnsaved={isUnsaved}
          canSave={isUnsaved || settings.some(({ kind }) => saved[kind]?.unreadable)}
          isBusy={saving.isBusy}
          failure={saving.failure}
          onReset={() => form.reset()}
        />
      )}
      <SaveDialog confirmation={saving.confirmation}>{parts.impacts}</SaveDialog>
      <LeaveDialog leaving={leaving} onDiscard={() => form.reset()} />
    </form>
  );
}

interface Timed {
  effective_at: number;
  first_run_at: number;
}

interface ImpactsProps<P> {
  impacts: readonly Impact<P>[];
  zone: string | undefined;
  headline: (impact: Impact<P>) => string;
  facts: (preview: P) => ReactNode;
  /** Items that no rule of the form deletes. */
  stays?: string | undefined;
  /** Says how long what was deleted can be restored. */
  recovery: ReactNode;
}

const WAIT_HOURS = RETENTION_WAIT_MS / 3_600_000;

/** The question, what each stricter rule would delete, and when. */
export function Impacts<P extends Timed>({ impacts, zone, headline, facts, stays, recovery }: ImpactsProps<P>) {
  const effectiveAt = Math.max(...impacts.map(({ preview }) => preview.effective_at));
  const firstRunAt = Math.max(...impacts.map(({ preview }) => preview.first_run_at));
  return (
    <Stack gap="sm">
      <ImpactQuestion count={impacts.length} />
      <Stack component="ul" gap="xs" m={0} p={0}>
        {impacts.map((impact) => (
          <Paper
            key={impact.setting.kind}
            component="li"
            p="sm"
            bg="var(--danger-soft)"
            bd="1px solid var(--danger-line)"
            styles={{ root: { listStyle: 'none' } }}
          >
            <Text component="h3" m={0} fz="0.8125rem" fw={500}>
              {impact.setting.title}
            </Text>
            <Text fz="1rem" fw={600} mb={8}>
              {headline(impact)}
            </Text>
            {facts(impact.preview)}
          </Paper>
        ))}
      </Stack>
      {stays !== undefined && <Text>{stays}</Text>}
      <Text c="dimmed">
        {impacts.length === 1 ? 'It takes' : 'They take'} effect on <TeamTimestamp at={effectiveAt} teamZone={zone} />,{' '}
        {WAIT_HOURS} hours from now. The first run after that is on <TeamTimestamp at={firstRunAt} teamZone={zone} />.{' '}
        <Text span inherit fw={500} c="var(--mantine-color-text)">
          {recovery}
        </Text>
      </Text>
      <Text c="dimmed">You can cancel this change on this page until then.</Text>
    </Stack>
  );
}

interface SaveDialogProps<P> {
  confirmation: Confirmation<P>;
  children: (impacts: readonly Impact<P>[]) => ReactNode;
}

/** Shows the effect of a stricter rule before it is saved. Cancel has the focus, so that an accidental Enter does nothing. */
function SaveDialog<P>({ confirmation, children }: SaveDialogProps<P>) {
  const { step, opened, isSaving, close, retry, confirm } = confirmation;
  return (
    <Dialog opened={opened} onClose={close} title="Save the rule" width={520} closable={!isSaving} returnFocus={false}>
      {step.name === 'counting' && (
        <Group gap={10} c="dimmed" role="status">
          <Loader size={16} aria-hidden="true" /> Counting what this rule would delete…
        </Group>
      )}
      {step.name === 'failed' && (
        <Text c="var(--danger)" role="alert">
          Couldn't count what this rule would delete: {step.reason} Nothing was saved.
        </Text>
      )}
      {step.name === 'ready' && children(step.impacts)}
      <DialogButtons>
        <Button variant="default" data-autofocus disabled={isSaving} onClick={close}>
          Cancel
        </Button>
        {step.name === 'failed' && (
          <Button leftSection={<Icon name="retry" size={16} />} onClick={retry}>
            Retry
          </Button>
        )}
        {step.name !== 'failed' && (
          <Button
            color="red"
            disabled={step.name === 'counting'}
            loading={isSaving}
            onKeyDown={ignoreRepeat}
            onClick={() => step.name === 'ready' && confirm(step.rules)}
          >
            Save the rule
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  );
}

/** The question of the dialog. */
function ImpactQuestion({ count }: { count: number }) {
  return (
    <Text fw={500}>
      {count === 1
        ? 'This rule deletes more than the current one. Save it anyway?'
        : 'These rules delete more than the current ones. Save them anyway?'}
    </Text>
  );
}

/** The focus returns to the element that submitted the form, because the dialog may open later than the submit. */
function useFocusReturn(isConfirming: boolean) {
  const opener = useRef<Element>(null);
  const wasConfirming = useRef(false);
  useEffect(() => {
    if (wasConfirming.current && !isConfirming && opener.current instanceof HTMLElement) opener.current.focus();
    wasConfirming.current = isConfirming;
  }, [isConfirming]);
  return opener;
}
