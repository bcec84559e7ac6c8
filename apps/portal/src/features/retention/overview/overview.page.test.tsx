import { listRetentionRuns, type RetentionRun, runRetention } from '@steward/contract/retention';
import type { RetentionKind } from '@steward/contract/retention/fields';
import { getRetentionForecast } from '@steward/contract/retention/foresight';
import { getRecovery, restoreRun, saveRecovery } from '@steward/contract/retention/recovery';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { answer, calls } from '#testing/fake-server.ts';
import { openScreen } from '#testing/open-screen.tsx';
import { answerRetention, days } from '#testing/retention.ts';
import { findDialog } from '#testing/users.ts';

function retentionRun(kind: RetentionKind, fields: Partial<RetentionRun> = {}): RetentionRun {
  return {
    id: kind.replaceAll('_', '').padEnd(26, '0'),
    kind,
    started_by: '',
    started_by_name: 'Nightly run',
    started_at: Date.now(),
    ended_at: Date.now(),
    cutoff: 1,
    scanned: 0,
    deleted: 0,
    bytes: 0,
    failed: 0,
    held: 0,
    state: 'finished',
    note: '',
    recoverable_until: null,
    restore_state: '',
    restore_note: '',
    restored_at: null,
    restored: 0,
    skipped: 0,
    proof: null,
    ...fields,
  };
}

const PATH = '/dashboard/team_settings/retention';
const CUTOFF = Date.UTC(2026, 5, 1);
const RULES = { files: { ...days(90), canmark: 0 as const } };
const DUE = { files: { count: 3, bytes: 1_500_000, overdue: 2, overdue_bytes: 1_000_000 } };

beforeEach(() => answerRetention());

async function findRule(title: string): Promise<HTMLElement> {
  const table = within(await screen.findByRole('table', { name: 'Retention rules' }));
  return table.getByRole('link', { name: title }).closest('[role="row"]') as HTMLElement;
}

const getRuns = () =>
  within(screen.getByRole('table', { name: 'Retention runs' }))
    .getAllByRole('row')
    .slice(1);
const texts = (elements: HTMLElement[]) => elements.map(({ textContent }) => textContent);

test('the overview lists all twelve kinds with links to their forms', async () => {
  const { user, router } = openScreen(PATH);
  const voicemails = await findRule('Voicemails');
  const rows = within(screen.getByRole('table', { name: 'Retention rules' })).getAllByRole('row');
  expect(rows).toHaveLength(14);
  expect(rows.at(-1)).toHaveTextContent('Total');
  await screen.findByRole('heading', { name: 'No runs yet' });
  await user.click(within(voicemails).getByRole('link'));
  await waitFor(() => expect(router.state.location.href).toBe('/dashboard/team_settings/voice_retention'));
  expect(await screen.findByRole('heading', { level: 1, name: 'Voice Retention' })).toBeInTheDocument();
});

test('the sidebar lists the forms under Retention and marks the current one', async () => {
  const { user } = openScreen(PATH);
  const main = within(await screen.findByRole('navigation', { name: 'Main' }));
  expect(main.getByRole('link', { current: 'page' })).toHaveTextContent('Retention');
  await user.click(main.getByRole('link', { name: 'Tasks' }));
  await waitFor(() => expect(main.getByRole('link', { current: 'page' })).toHaveTextContent('Tasks'));
});

test('a row shows the rule, its cutoff, what is stored and what is due for deletion', async () => {
  const effective_at = Date.UTC(2100, 0, 1);
  const archived_notes = { ...days(30), effective_at, in_force: { value: 0 as const } };
  answerRetention({ rules: { ...RULES, archived_notes }, kinds: { files: { cutoff: CUTOFF } }, stored: DUE });
  openScreen(PATH);
  const files = within(await findRule('Files')).getAllByRole('cell');
  await waitFor(() => expect(files[3]).toHaveTextContent('31.5 MB'));
  expect(texts(files.slice(1))).toEqual(['Keep 90 days', 'Jun 1, 2026 (UTC)', '31.5 MB', '21 MB', 'Never']);
  expect(await findRule('Completed tasks')).toHaveTextContent('Keep foreverAll time00Never');
  expect(await findRule('Archived notes')).toHaveTextContent(/Keep foreverKeep 30 days from \w+ \d+/);
});

describe('Run now', () => {
  test('lists what is due, and deletes it', async () => {
    const given = { rules: RULES, kinds: { files: { cutoff: CUTOFF } }, stored: DUE };
    answerRetention(given);
    const { user } = openScreen(PATH);
    await findRule('Files');
    await user.click(screen.getByRole('button', { name: 'Run now' }));
    const question = within(await findDialog('Run now'));
    expect(await question.findByRole('table')).toHaveTextContent('Files2 files1 MB');
    await waitFor(() => expect(question.getByRole('button', { name: 'Cancel' })).toHaveFocus());
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(screen.getByRole('button', { name: 'Run now' })).toHaveFocus());
    expect(calls(runRetention)).toEqual([]);
    const run = retentionRun('files', { started_by_name: 'Olivia Owner', scanned: 2, deleted: 2, bytes: 1_000_000 });
    answer(runRetention, { records: [{ ...run, state: 'running', ended_at: 0 }] });
    await user.keyboard('{Enter}');
    answerRetention({ ...given, kinds: { files: { cutoff: CUTOFF, last_run: run } }, stored: {}, runs: [run] });
    await user.click(await within(await findDialog('Run now')).findByRole('button', { name: 'Delete now' }));
    await screen.findByText('The run has started.');
    await waitFor(() => expect(getRuns()[0]).toHaveTextContent('Finished'));
    expect(getRuns()[0]).toHaveTextContent('Olivia Owner');
    const cell = (header: string) => getRuns()[0]?.querySelector(`[data-label="${header}"]`)?.textContent;
    expect(['Kind', 'Deleted', 'Checked', 'Failed'].map(cell)).toEqual(['Files', '21 MB', '2', '0']);
    expect(await findRule('Files')).toHaveTextContent('Finished2 deleted');
  });

  test('says when no rule deletes anything', async () => {
    const { user } = openScreen(PATH);
    await findRule('Files');
    await user.click(screen.getByRole('button', { name: 'Run now' }));
    const dialog = await findDialog('Run now');
    expect(dialog).toHaveTextContent('Every rule keeps everything, so there is nothing to run.');
    expect(within(dialog).getAllByRole('button')).toHaveLength(1);
  });

  test('says when nothing is due', async () => {
    answerRetention({ rules: RULES, kinds: { files: { cutoff: CUTOFF } } });
    answer(runRetention, { records: [] });
    const { user } = openScreen(PATH);
    await findRule('Files');
    await user.click(screen.getByRole('button', { name: 'Run now' }));
    const dialog = await findDialog('Run now');
    await waitFor(() => expect(dialog).toHaveTextContent('Nothing is due for deletion.'));
    await user.click(within(dialog).getByRole('button', { name: 'Run anyway' }));
    await screen.findByText('The run has started.');
  });
});

test('a running run shows its progress until it has ended', async () => {
  const running = retentionRun('files', { state: 'running', deleted: 11_999, bytes: 5_000_000, scanned: 12_001 });
  answerRetention({ kinds: { files: { running } } });
  openScreen(PATH);
  await screen.findByText('Retention is running in the background.', { exact: false });
  await screen.findByText('Files: 12,001 checked, 11,999 deleted (5 MB)');
  answerRetention({ kinds: { files: { running: { ...running, scanned: 12_002 } } } });
  await screen.findByText('Files: 12,002 checked, 11,999 deleted (5 MB)');
  expect(screen.getByRole('button', { name: 'Run now' })).toHaveAttribute('aria-disabled', 'true');
  answerRetention({ kinds: { files: { last_run: { ...running, state: 'finished' } } } });
  await waitFor(() => expect(screen.queryByText(/^Retention is running/)).toBeNull());
  expect(screen.getByRole('button', { name: 'Run now' })).not.toHaveAttribute('aria-disabled', 'true');
});

test('the history can be filtered by kind and loads more on request', async () => {
  const run = (nth: number) => retentionRun(nth % 2 === 0 ? 'files' : 'voicemails', { id: `${nth}`.padEnd(26, 'x') });
  const runs = Array.from({ length: 5 }, (_, nth) => run(nth));
  answerRetention({ runs });
  answer(listRetentionRuns, ({ query: { kind, last_key, recoverable } }) => {
    const all = recoverable ? [] : runs.filter((one) => kind === undefined || one.kind === kind);
    return last_key === undefined
      ? { records: all.slice(0, 3), last_key: all.length > 3 ? 'next' : null }
      : { records: all.slice(3), last_key: null };
  });
  const { user } = openScreen(PATH);
  await waitFor(() => expect(getRuns()).toHaveLength(3));
  await user.click(screen.getByRole('button', { name: 'Show more' }));
  await waitFor(() => expect(getRuns()).toHaveLength(5));
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  await user.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'Voicemails');
  await waitFor(() => expect(getRuns()).toHaveLength(2));
  await user.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'Call history');
  await screen.findByText(/^There are no runs for this kind\./);
});

test('the reason for an early end is shown below the status', async () => {
  const note = 'The server and database clocks differ by 6 minutes. Nothing was deleted; correct the clocks first.';
  answerRetention({ runs: [retentionRun('files', { state: 'refused', note, failed: 3 })] });
  openScreen(PATH);
  await waitFor(() => expect(getRuns()[0]).toHaveTextContent(`Skipped${note}`));
  expect(getRuns()[0]?.querySelector('[data-label="Failed"]')).toHaveTextContent('3');
});

test('the history shows the number and size of what was destroyed', async () => {
  const proof = { destroyed_at: 1, objects: 2, bytes: 1_000, items: 2, files: 0, item_bytes: 900 };
  answerRetention({ runs: [retentionRun('voicemails', { deleted: 2, proof })] });
  openScreen(PATH);
  await waitFor(() => expect(getRuns()[0]).toHaveTextContent(/2 destroyed, 900 bytes: /));
});

test('the forecast shows what the next nights delete, by night and by kind', async () => {
  const night = (at: number, settings: object) => ({ night: `2100-01-0${at}`, at, settings });
  const counted = (count: number) => ({ count, bytes: count * 500_000, held: 0 });
  answer(getRetentionForecast, {
    records: [night(1, { files: counted(2) }), night(2, { files: counted(2), voicemails: counted(1) }), night(3, {})],
    total: counted(5),
  });
  const { user } = openScreen(PATH);
  const forecast = within(await screen.findByRole('region', { name: 'Forecast' }));
  const sentence = /^In the next 3 nights, 5 items \(2\.5 MB\) of what is stored now will be deleted\.$/;
  await forecast.findByText((_, element) => sentence.test(element?.textContent ?? ''));
  const values = forecast.getByRole('slider');
  fireEvent.change(values, { target: { value: '0' } });
  expect(values).toHaveAttribute('aria-valuetext', expect.stringMatching(/: 2 items, 1 MB$/));
  await user.click(forecast.getByText('Show by kind'));
  const rows = (by: string) => within(forecast.getByRole('table', { name: `Forecast by ${by}` })).getAllByRole('row');
  expect(texts(rows('kind'))).toEqual(['KindItemsSize', 'Files42 MB', 'Voicemails1500 KB', 'Total52.5 MB']);
  await user.click(forecast.getByText('Show by night'));
  expect(texts(rows('night')).at(-1)).toBe('Total52.5 MB');
  expect(rows('night')).toHaveLength(4);
});

describe('what can be restored', () => {
  const recoverable_until = Date.UTC(2100, 0, 1);
  const deleted = retentionRun('voicemails', { deleted: 2, bytes: 900, recoverable_until });
  const findSection = () => screen.findByRole('region', { name: 'Recoverable' });

  test('is restored by an owner, also if the restore ends before it was seen running', async () => {
    answerRetention({ runs: [deleted] });
    const { user } = openScreen(PATH);
    const section = await findSection();
    await user.click(await within(section).findByRole('button', { name: 'Restore Voicemails' }));
    expect(section).toHaveTextContent('can be restored by an owner for 7 days');
    const question = await findDialog('Restore');
    expect(question).toHaveTextContent('Restore 2 voicemails?');
    answer(restoreRun, { ...deleted, restore_state: 'running' });
    const restored = { recoverable_until: null, restore_state: 'finished', restored: 2, restored_at: 1 } as const;
    answerRetention({ runs: [{ ...deleted, ...restored }] });
    await user.click(within(question).getByRole('button', { name: 'Restore' }));
    await screen.findByText('The restore has started.');
    await waitFor(() => expect(section).toHaveTextContent('There is nothing to restore now.'));
    await waitFor(() => expect(screen.getByRole('region', { name: 'Run history' })).toHaveTextContent('2 restored'));
  });

  test('has no button for an admin who isn’t an owner', async () => {
    answerRetention({ runs: [deleted] });
    openScreen(PATH, ['team_admin', 'team_user']);
    const section = within(await findSection());
    await section.findByText('Voicemails');
    expect(section.queryByRole('button', { name: 'Restore Voicemails' })).toBeNull();
  });

  test('has a time, of which a shorter one is announced before it is saved, and waits', async () => {
    const { user } = openScreen(PATH);
    const section = await findSection();
    await waitFor(() => expect(within(section).getByRole('button', { name: 'Change time' })).toBeEnabled());
    await user.click(within(section).getByRole('button', { name: 'Change time' }));
    const dialog = await findDialog('Time to restore');
    const field = within(dialog).getByRole('textbox', { name: 'Days' });
    fireEvent.change(field, { target: { value: '31' } });
    expect(dialog).not.toHaveTextContent('A shorter time takes effect in 24 hours.');
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    await within(dialog).findByText('Enter a whole number from 0 to 30.');
    fireEvent.change(field, { target: { value: '0' } });
    expect(dialog).toHaveTextContent('A shorter time takes effect in 24 hours.');
    const saved = { recoverable_days: 0, effective_at: Date.UTC(2100, 0, 1), in_force: 7 };
    answer(saveRecovery, saved);
    answer(getRecovery, saved);
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    await screen.findByText('Saved Successfully');
    await waitFor(() => expect(section).toHaveTextContent(': 0 days.'));
    expect(section).toHaveTextContent('for 7 days');
    await waitFor(() => expect(within(section).getByRole('button', { name: 'Change time' })).toHaveFocus());
  });
});

describe('the time of the next run', () => {
  const findNextRun = () => screen.findByText(/The next nightly run is on/);

  test('names the viewer’s time zone if the team is in another one', async () => {
    answerRetention({ zone: 'America/New_York' });
    openScreen('/dashboard/team_settings/retention');
    expect(await findNextRun()).toHaveTextContent(/ \(Europe\/Berlin\)\. Days start/);
  });

  test('names no time zone if both have the same', async () => {
    answerRetention({ zone: 'Europe/Berlin' });
    openScreen('/dashboard/team_settings/retention');
    expect(await findNextRun()).not.toHaveTextContent('(Europe/Berlin)');
  });
});
