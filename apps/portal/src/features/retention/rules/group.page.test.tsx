import {
  getFileRetention,
  getRetentionStored,
  previewRetention,
  saveFileRetention,
  saveMeetingRetention,
  saveMessageRetention,
  saveNoteRetention,
  saveTaskRetention,
  saveVoiceRetention,
} from '@steward/contract/retention';
import { getRetentionAges, listDueItems } from '@steward/contract/retention/foresight';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { answer, calls, disconnect, hold, refuse } from '#testing/fake-server.ts';
import { openScreen } from '#testing/open-screen.tsx';
import { answerRetention, days, preview } from '#testing/retention.ts';
import { takeSavedFiles } from '#testing/saved-files.ts';
import { findDialog } from '#testing/users.ts';

const SETTINGS = '/dashboard/team_settings';

beforeEach(() => answerRetention());

const getSetting = (title: string) => within(screen.getByRole('region', { name: title }));
const getSave = () => screen.getByRole('button', { name: 'Save' });
/** A button that can't be pressed stays in the order of Tab. */
const isSaveOff = () => getSave().getAttribute('aria-disabled') === 'true';
const findQuestion = async () => within(await findDialog('Save the rule'));
const dialogIsGone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

async function openForm(name: string) {
  const { user, router } = openScreen(`${SETTINGS}/${name}`);
  await screen.findAllByRole('radio');
  return { user, path: () => router.state.location.pathname };
}

/** Chooses a duration for a setting and fills it in. */
async function limit(user: UserEvent, title: string, count: string, period?: string): Promise<void> {
  const setting = getSetting(title);
  await user.click(setting.getByRole('radio', { name: /but only for a set duration$/ }));
  fireEvent.change(setting.getByRole('textbox', { name: 'Count' }), { target: { value: count } });
  if (period !== undefined) await user.selectOptions(setting.getByRole('combobox', { name: 'Period' }), period);
}

async function confirm(user: UserEvent): Promise<void> {
  await user.click(await (await findQuestion()).findByRole('button', { name: 'Save the rule' }));
  await dialogIsGone();
}

describe('the choices', () => {
  test('for files have the specified texts, and everything is kept by default', async () => {
    await openForm('file_retention');
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('File Retention');
    expect(screen.getByRole('radio', { name: 'Keep all files forever' })).toBeChecked();
    expect(screen.getByRole('radio', { name: 'Keep all files, but only for a set duration' })).not.toBeChecked();
    expect(screen.getByRole('radio', { name: "Users can't delete files" })).toBeChecked();
    expect(
      screen.getByRole('radio', { name: 'Users can mark files deleted and they will be removed after' }),
    ).not.toBeChecked();
    await screen.findByText(/^All files are kept\./);
    expect(screen.queryByRole('textbox', { name: 'Count' })).toBeNull();
    expect(isSaveOff()).toBe(true);
  });

  test('for messages have the specified texts, for each kind of channel', async () => {
    await openForm('message_retention');
    for (const title of ['Public channels', 'Private channels', 'Direct messages']) {
      const setting = getSetting(title);
      expect(setting.getByRole('radio', { name: 'Keep all messages forever' })).toBeChecked();
      expect(
        setting.getByRole('radio', { name: 'Keep all messages, but only for a set duration' }),
      ).toBeInTheDocument();
    }
    expect(screen.getAllByRole('radio', { name: "Users can't delete messages" })).toHaveLength(1);
    expect(
      getSetting('Direct messages').getByRole('radio', {
        name: 'Users can mark messages deleted and they will be removed after',
      }),
    ).toBeInTheDocument();
    expect(screen.getByText(/Files attached to a message stay: they have a rule of their own\./)).toBeInTheDocument();
  });

  test.each([
    ['notes_retention', ['archived notes']],
    ['tasks_retention', ['completed tasks']],
    ['meeting_retention', ['meeting history', 'meeting recordings']],
    ['voice_retention', ['call history', 'call recordings', 'voicemails', 'communication history']],
  ])('of %s have the same pattern', async (name, things) => {
    await openForm(name);
    for (const all of things) {
      expect(screen.getByRole('radio', { name: `Keep all ${all} forever` })).toBeChecked();
      expect(screen.getByRole('radio', { name: `Keep all ${all}, but only for a set duration` })).toBeInTheDocument();
    }
    expect(screen.getAllByRole('radio')).toHaveLength(2 * things.length);
  });
});

describe('the duration', () => {
  test('is required only where one applies', async () => {
    const { user } = await openForm('message_retention');
    const direct = getSetting('Direct messages');
    await user.click(direct.getByRole('radio', { name: /mark messages deleted/ }));
    expect(direct.getByRole('textbox', { name: 'Count' })).toBeInTheDocument();
    const periods = within(direct.getByRole('combobox', { name: 'Period' })).getAllByRole('option');
    expect(periods.map(({ textContent }) => textContent)).toEqual(['Days', 'Months', 'Years']);
    await user.click(direct.getByRole('radio', { name: /only for a set duration/ }));
    expect(direct.queryByRole('radio', { name: /mark messages deleted/ })).toBeNull();
    expect(direct.getAllByRole('textbox', { name: 'Count' })).toHaveLength(1);
    await user.click(direct.getByRole('radio', { name: 'Keep all messages forever' }));
    await user.click(direct.getByRole('radio', { name: "Users can't delete messages" }));
    expect(screen.queryByRole('textbox', { name: 'Count' })).toBeNull();
  });

  test('of all files replaces that of marked files', async () => {
    answer(previewRetention, { files: preview(0) });
    const { user } = await openForm('file_retention');
    await user.click(screen.getByRole('radio', { name: /mark files deleted/ }));
    await limit(user, 'Files', '90');
    expect(screen.getAllByRole('textbox', { name: 'Count' })).toHaveLength(1);
    expect(
      screen.getByText(/permanently deleted with all other files, 90 days after they were created/),
    ).toBeInTheDocument();
  });

  test('that is invalid is explained at the field, and nothing is sent', async () => {
    const { user } = await openForm('notes_retention');
    const setting = getSetting('Archived notes');
    await limit(user, 'Archived notes', '');
    await user.click(getSave());
    const count = setting.getByRole('textbox', { name: 'Count' });
    await waitFor(() => expect(count).toHaveFocus());
    expect(count).toHaveAttribute('aria-invalid', 'true');
    expect(count).toHaveAccessibleDescription(/Enter a whole number from 1 to 999/);
    for (const [typed, fault] of Object.entries({
      '12abc': "“12abc” isn't a number. Enter a whole number from 1 to 999.",
      '1.5': "1.5 isn't a whole number.",
      '0': '0 is too low. The minimum is 1.',
      '1000': '1000 is too high. The maximum is 999.',
    })) {
      fireEvent.change(count, { target: { value: typed } });
      await user.type(count, '{Enter}');
      expect(setting.getByRole('alert')).toHaveTextContent(fault);
    }
    expect(calls(saveNoteRetention)).toEqual([]);
    expect(calls(previewRetention)).toEqual([]);
    answer(previewRetention, { archived_notes: preview(0) });
    fireEvent.change(count, { target: { value: '999' } });
    expect(setting.queryByRole('alert')).toBeNull();
    await waitFor(() => expect(calls(previewRetention)).toHaveLength(1));
  });

  test('common ones are one click away, and one setting can be applied to all messages', async () => {
    answer(previewRetention, {
      public_channels: preview(0),
      private_channels: preview(0),
      direct_messages: preview(0),
    });
    const { user } = await openForm('message_retention');
    const open = getSetting('Public channels');
    await user.click(open.getByRole('radio', { name: /but only for a set duration$/ }));
    await user.click(open.getByRole('button', { name: '7 years' }));
    expect(open.getByRole('textbox', { name: 'Count' })).toHaveValue('7');
    expect(open.getByRole('combobox', { name: 'Period' })).toHaveValue('y');
    expect(open.getByRole('button', { name: '7 years' })).toHaveAttribute('aria-pressed', 'true');
    await user.click(open.getByRole('button', { name: 'Apply to all three message kinds' }));
    for (const title of ['Private channels', 'Direct messages']) {
      expect(getSetting(title).getByRole('radio', { name: /but only for a set duration$/ })).toBeChecked();
      expect(getSetting(title).getByRole('textbox', { name: 'Count' })).toHaveValue('7');
    }
    expect(screen.queryByRole('button', { name: 'Apply to all three message kinds' })).toBeNull();
    await waitFor(() => expect(calls(previewRetention).length).toBeGreaterThan(0));
  });
});

describe('saving', () => {
  const saved = () => screen.findByText('Saved Successfully');

  test('is disabled until something changed, and Reset restores the saved rule', async () => {
    answerRetention({ rules: { completed_tasks: { value: 1, duration: { count: 6, period: 'm' } } } });
    answer(previewRetention, { completed_tasks: preview(0, { deletes_more: false }) });
    const { user } = await openForm('tasks_retention');
    const setting = getSetting('Completed tasks');
    const count = () => setting.getByRole('textbox', { name: 'Count' });
    expect(count()).toHaveValue('6');
    expect(setting.getByRole('combobox', { name: 'Period' })).toHaveValue('m');
    fireEvent.change(count(), { target: { value: '7' } });
    expect(isSaveOff()).toBe(false);
    fireEvent.change(count(), { target: { value: '6' } });
    expect(isSaveOff()).toBe(true);
    await user.click(setting.getByRole('radio', { name: 'Keep all completed tasks forever' }));
    await user.click(screen.getByRole('button', { name: 'Reset' }));
    expect(count()).toHaveValue('6');
    await waitFor(() => expect(getSave()).toHaveFocus());
    expect(isSaveOff()).toBe(true);
    expect(calls(saveTaskRetention)).toEqual([]);
  });

  test.each([
    ['60', 'Days', { count: 60, period: 'd' }],
    ['2', 'Months', { count: 2, period: 'm' }],
  ] as const)('a rule of %s %s is immediate, because it deletes less', async (count, period, duration) => {
    answerRetention({ rules: { archived_notes: days(30) } });
    answer(previewRetention, { archived_notes: preview(0, { deletes_more: false }) });
    answer(saveNoteRetention, { archived_notes: { value: 1, duration } });
    const { user } = await openForm('notes_retention');
    await limit(user, 'Archived notes', count, period);
    await user.click(getSave());
    await saved();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(calls(saveNoteRetention)[0]?.body).toEqual({ archived_notes: { value: 1, duration } });
    expect(isSaveOff()).toBe(true);
    await waitFor(() => expect(getSave()).toHaveFocus());
    expect(screen.queryByText('Cancel this change')).toBeNull();
  });

  test('a stricter rule is confirmed with what it would delete and when, and Cancel has the focus', async () => {
    answer(previewRetention, ({ body }) => ({
      ...(body.public_channels && { public_channels: preview(2) }),
      ...(body.private_channels && { private_channels: preview(0) }),
      ...(body.direct_messages && { direct_messages: preview(0, { deletes_more: false }) }),
    }));
    const { user } = await openForm('message_retention');
    await limit(user, 'Public channels', '90');
    await limit(user, 'Private channels', '1', 'Years');
    await user.click(getSave());
    const question = await findQuestion();
    const [shown, none] = await question.findAllByRole('listitem');
    expect(shown).toHaveTextContent('Public channels2 messages, 24 bytes');
    expect([...(shown?.querySelectorAll('dt') ?? [])].map(({ textContent }) => textContent)).toEqual([
      ...['Everything before', 'Oldest', 'Newest'],
    ]);
    expect(none).toHaveTextContent('Private channelsNo messages would be deleted now');
    expect(question.getAllByRole('listitem')).toHaveLength(2);
    const dialog = await findDialog('Save the rule');
    for (const text of [
      ...['24 hours from now', 'An owner can restore what is deleted for 7 days', 'You can cancel this change'],
      'Files attached to a message stay: they have a rule of their own. Replies to a message stay',
    ])
      await waitFor(() => expect(dialog).toHaveTextContent(text));
    await waitFor(() => expect(question.getByRole('button', { name: 'Cancel' })).toHaveFocus());
    await user.keyboard('{Enter}');
    await dialogIsGone();
    await waitFor(() => expect(getSave()).toHaveFocus());
    expect(getSetting('Public channels').getByRole('textbox', { name: 'Count' })).toHaveValue('90');
    expect(calls(saveMessageRetention)).toEqual([]);
  });

  test('a stricter rule is scheduled, and can be canceled', async () => {
    const yearly = { value: 1 as const, duration: { count: 1, period: 'y' as const } };
    answerRetention({ rules: { call_history: yearly } });
    answer(previewRetention, { call_history: preview(1), voicemails: preview(1), call_recordings: preview(0) });
    const effective_at = Date.now() + 86_400_000;
    const scheduled = {
      call_history: { ...days(30), effective_at, in_force: yearly },
      call_recordings: { value: 0 as const },
      voicemails: { ...days(90), effective_at, in_force: { value: 0 as const } },
      communication_history: { value: 0 as const },
    };
    answer(saveVoiceRetention, scheduled);
    const { user } = await openForm('voice_retention');
    await limit(user, 'Call history', '30');
    await limit(user, 'Voicemails', '90');
    await user.click(getSave());
    answerRetention({ rules: scheduled });
    await confirm(user);
    await saved();
    const callHistory = screen.getByRole('region', { name: 'Call history' });
    expect(callHistory).toHaveTextContent(/From .+: Calls are deleted 30 days after they end\. Until then: Calls are/);
    const voicemails = screen.getByRole('region', { name: 'Voicemails' });
    expect(voicemails).toHaveTextContent('Until then: All voicemails are kept.');
    expect(voicemails).toHaveTextContent('Next runAfter the rule takes effect');
    await user.click(getSetting('Call recordings').getByRole('radio', { name: /only for a set/ }));
    answer(saveVoiceRetention, { ...scheduled, call_history: yearly });
    await user.click(screen.getByRole('button', { name: 'Cancel this change: Call history' }));
    await waitFor(() => expect(callHistory).not.toHaveTextContent('Cancel this change'));
    expect(calls(saveVoiceRetention).at(-1)?.body).toMatchObject({ call_history: yearly, voicemails: days(90) });
    expect(within(callHistory).getByRole('textbox', { name: 'Count' })).toHaveValue('1');
    await waitFor(() => expect(within(callHistory).getByRole('radio', { checked: true })).toHaveFocus());
    // Input in other settings is kept, and other scheduled rules stay scheduled.
    expect(getSetting('Call recordings').getByRole('textbox', { name: 'Count' })).toBeInTheDocument();
    expect(within(voicemails).getByRole('button', { name: /Cancel this change/ })).toBeInTheDocument();
  });

  test('a scheduled rule is not confirmed again when another setting is saved', async () => {
    const effective_at = Date.now() + 86_400_000;
    const meeting_history = { ...days(30), effective_at, in_force: { value: 0 as const } };
    answerRetention({ rules: { meeting_history } });
    answer(previewRetention, ({ body }) => ({
      ...(body.meeting_recordings && { meeting_recordings: preview(1) }),
      ...(body.meeting_history && { meeting_history: preview(1) }),
    }));
    answer(saveMeetingRetention, { meeting_history, meeting_recordings: { ...days(60), effective_at } });
    const { user } = await openForm('meeting_retention');
    await limit(user, 'Meeting recordings', '60');
    await user.click(getSave());
    const question = await findQuestion();
    expect(await question.findAllByRole('listitem')).toHaveLength(1);
    expect(question.getByRole('listitem')).toHaveTextContent('Meeting recordings');
    await confirm(user);
    await saved();
    expect(calls(saveMeetingRetention)[0]?.body).toEqual({ meeting_history: days(30), meeting_recordings: days(60) });
  });

  test('a long count is shown, and can be canceled', async () => {
    const { user } = await openForm('notes_retention');
    const release = hold(previewRetention, { archived_notes: preview(1) });
    await limit(user, 'Archived notes', '90');
    await user.click(getSave());
    const question = await findQuestion();
    await question.findByText('Counting what this rule would delete…');
    expect(question.getByRole('button', { name: 'Save the rule' })).toBeDisabled();
    await user.click(question.getByRole('button', { name: 'Cancel' }));
    await dialogIsGone();
    release();
    expect(isSaveOff()).toBe(false);
    expect(calls(saveNoteRetention)).toEqual([]);
  });

  test('rules that couldn’t be counted are not saved, and can be counted again', async () => {
    disconnect(previewRetention);
    const { user } = await openForm('notes_retention');
    await limit(user, 'Archived notes', '90');
    await user.click(getSave());
    const question = await findQuestion();
    expect(await question.findByRole('alert')).toHaveTextContent(
      "Couldn't count what this rule would delete: API error Nothing was saved.",
    );
    expect(question.queryByRole('button', { name: 'Save the rule' })).toBeNull();
    answer(previewRetention, { archived_notes: preview(1) });
    await user.click(question.getByRole('button', { name: 'Retry' }));
    await question.findByRole('button', { name: 'Save the rule' });
    expect(calls(saveNoteRetention)).toEqual([]);
  });

  test('keeping everything needs no count', async () => {
    answerRetention({ rules: { archived_notes: days(30) } });
    disconnect(previewRetention);
    answer(saveNoteRetention, { archived_notes: { value: 0 } });
    const { user } = await openForm('notes_retention');
    await user.click(screen.getByRole('radio', { name: 'Keep all archived notes forever' }));
    await user.click(getSave());
    await saved();
  });

  test('an error is shown in the form, and the input is kept', async () => {
    answer(previewRetention, { files: preview(1) });
    refuse(saveFileRetention, 'server.error', 'The database is away.');
    const { user } = await openForm('file_retention');
    await user.click(screen.getByRole('radio', { name: /mark files deleted/ }));
    fireEvent.change(screen.getByRole('textbox', { name: 'Count' }), { target: { value: '30' } });
    await user.click(getSave());
    await confirm(user);
    expect(await screen.findByText('An Error Occurred!')).toBeInTheDocument();
    expect(within(screen.getByRole('form')).getByText('The database is away.')).toBeInTheDocument();
    expect(screen.getByRole('textbox', { name: 'Count' })).toHaveValue('30');
    expect(isSaveOff()).toBe(false);
    expect(calls(saveFileRetention)[0]?.body).toMatchObject({ value: 0, canmark: 1, duration: { count: 30 } });
  });

  test('an unreadable stored rule deletes nothing, says so, and can be saved again', async () => {
    answerRetention({ rules: { archived_notes: { value: 0, unreadable: true } } });
    answer(saveNoteRetention, { archived_notes: { value: 0 } });
    const { user } = await openForm('notes_retention');
    const sentence = /No archived notes are deleted because the stored rule can't be read\. Save it again\./;
    expect(screen.getByText(sentence)).toBeInTheDocument();
    answerRetention();
    await user.click(getSave());
    await saved();
    await screen.findByText(/^All archived notes are kept\./);
    expect(screen.queryByText(sentence)).toBeNull();
  });
});

test('leaving with unsaved changes asks first', async () => {
  const { user, path } = await openForm('file_retention');
  await user.click(screen.getByRole('radio', { name: /only for a set duration/ }));
  await user.click(screen.getByRole('link', { name: 'Notes' }));
  const question = await findDialog('Discard changes');
  expect(question).toHaveTextContent('Leave without saving?');
  await user.click(within(question).getByRole('button', { name: 'Cancel' }));
  expect(path()).toBe(`${SETTINGS}/file_retention`);
  expect(screen.getByRole('radio', { name: /only for a set duration/ })).toBeChecked();
  await user.click(screen.getByRole('link', { name: 'Notes' }));
  await user.click(within(await findDialog('Discard changes')).getByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(path()).toBe(`${SETTINGS}/notes_retention`));
  await user.click(await screen.findByRole('link', { name: 'Tasks' }));
  await waitFor(() => expect(path()).toBe(`${SETTINGS}/tasks_retention`));
});

describe('beside a setting', () => {
  test('the panel shows what it deletes and what is stored', async () => {
    const cutoff = Date.UTC(2026, 5, 1);
    answerRetention({
      rules: { voicemails: days(30) },
      kinds: { voicemails: { cutoff } },
      stored: { voicemails: { count: 3, bytes: 1_500_000, overdue: 1, overdue_bytes: 500_000 } },
    });
    await openForm('voice_retention');
    const setting = screen.getByRole('region', { name: 'Voicemails' });
    for (const text of [/Voicemails received before Jun 1, 2026 \(UTC\) are deleted/, '3 voicemails, 1.5 MB'])
      await waitFor(() => expect(setting).toHaveTextContent(text));
    expect(setting).toHaveTextContent('Due for deletion1, 500 KB');
    expect(setting).toHaveTextContent('Last runNever');
    expect(screen.getByRole('region', { name: 'Call history' })).toHaveTextContent('Next runNot scheduled');
  });

  test('the form can be edited while stored items are being counted, and a failure can be retried', async () => {
    refuse(getRetentionStored, 'server.error', 'Too much.');
    answer(previewRetention, { archived_notes: preview(0) });
    const { user } = await openForm('notes_retention');
    await limit(user, 'Archived notes', '5', 'Years');
    expect(isSaveOff()).toBe(false);
    await screen.findByText("Couldn't load stored items.");
    answer(getRetentionStored, { counted_at: 1, records: [] });
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(screen.queryByText("Couldn't load stored items.")).toBeNull());
    expect(screen.getByRole('textbox', { name: 'Count' })).toHaveValue('5');
  });

  test('the effect of an edit is shown, and only the last edit is counted', async () => {
    answer(previewRetention, ({ body: { archived_notes } }) => ({
      archived_notes: preview(archived_notes?.duration?.count === 250 ? 1 : 3, { bytes: 500_000 }),
    }));
    const { user } = await openForm('notes_retention');
    await limit(user, 'Archived notes', '90');
    const setting = getSetting('Archived notes');
    const effect = await setting.findByText(/^If saved/);
    expect(effect).toHaveTextContent('If saved, 3 notes (500 KB) would be deleted: everything before');
    const before = calls(previewRetention).length;
    vi.useFakeTimers();
    await user.clear(setting.getByRole('textbox', { name: 'Count' }));
    await user.type(setting.getByRole('textbox', { name: 'Count' }), '250');
    await act(() => vi.advanceTimersByTimeAsync(399));
    expect(calls(previewRetention)).toHaveLength(before);
    act(() => vi.advanceTimersByTime(1));
    await waitFor(() =>
      expect(setting.getByText(/^If saved/)).toHaveTextContent('If saved, 1 note (500 KB) would be deleted'),
    );
    vi.useRealTimers();
    const counted = calls(previewRetention).slice(before);
    expect(counted.map(({ body }) => body.archived_notes?.duration?.count)).toEqual([250]);
    answer(previewRetention, { archived_notes: preview(0) });
    fireEvent.change(setting.getByRole('textbox', { name: 'Count' }), { target: { value: '900' } });
    await setting.findByText(/^If saved, there would be no notes to delete now\./);
    await user.click(setting.getByRole('radio', { name: /forever$/ }));
    expect(setting.queryByText(/^If saved/)).toBeNull();
    expect(isSaveOff()).toBe(true);
  });

  test('the chart reads out each month, and has the same values in a table', async () => {
    answerRetention({
      rules: { archived_notes: days(365) },
      kinds: { archived_notes: { cutoff: Date.UTC(2026, 0, 1) } },
    });
    const month = (ago: number, count: number) => {
      const now = new Date();
      const name = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1)).toISOString().slice(0, 7);
      return { month: name, count, bytes: count * 500_000, held: 0 };
    };
    answer(getRetentionAges, { clock: 'own', months: [month(12, 1), month(2, 1), month(0, 2)] });
    answer(previewRetention, { archived_notes: preview(2) });
    const { user } = await openForm('notes_retention');
    const chart = within(await screen.findByRole('figure', { name: 'Archived notes by age' }));
    await chart.findByText('Current cutoff');
    expect(chart.getByText('Deleted by the rule')).toBeInTheDocument();
    const values = chart.getByRole('slider');
    values.focus();
    expect(values).toHaveAttribute('aria-valuetext', expect.stringMatching(/: 2 notes, 1 MB$/));
    fireEvent.change(values, { target: { value: '0' } });
    expect(values).toHaveAttribute('aria-valuetext', expect.stringMatching(/: 1 note, 500 KB$/));
    await user.click(screen.getByText('Show as a table'));
    const table = within(screen.getByRole('table', { name: 'Archived notes by month' }));
    expect(table.getAllByRole('row')).toHaveLength(4);
    fireEvent.change(screen.getByRole('textbox', { name: 'Count' }), { target: { value: '30' } });
    await chart.findByText('Cutoff if saved');
    expect(chart.getByText('Would be deleted')).toBeInTheDocument();
  });

  test('the items that are due are listed and downloaded, and the download can be canceled', async () => {
    answerRetention({
      rules: { files: { ...days(90), canmark: 0 } },
      kinds: { files: { cutoff: Date.UTC(2026, 0, 1) } },
      stored: { files: { count: 3, bytes: 3, overdue: 2, overdue_bytes: 2 } },
    });
    const item = { clock: 1, channel_id: '', channel_name: '', author_id: '', author_name: '', bytes: 500_000 };
    answer(listDueItems, {
      records: ['a', 'b'].map((id) => ({ ...item, id: id.padEnd(26, '0') })),
      last_key: null,
    });
    const { user } = await openForm('file_retention');
    await user.click(await screen.findByRole('button', { name: 'View these files' }));
    const dialog = within(await findDialog('Due for deletion: files'));
    await waitFor(() =>
      expect(within(dialog.getByRole('table', { name: 'Due files' })).getAllByRole('row')).toHaveLength(3),
    );
    await user.click(dialog.getByRole('button', { name: 'Download CSV' }));
    const [file] = await waitFor(() => {
      const files = takeSavedFiles();
      expect(files).toHaveLength(1);
      return files;
    });
    expect(file?.name).toBe('steward-due-files.csv');
    const lines = (await file?.lines) ?? [];
    expect(lines[0]).toMatch(/^\uFEFF?Date,Channel,Author,Bytes,Id,Channel id,Author id$/);
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z,,.*,500000,/);
    answer(listDueItems, () => Promise.withResolvers<never>().promise);
    await user.click(dialog.getByRole('button', { name: 'Download CSV' }));
    await user.click(await dialog.findByRole('button', { name: 'Cancel download' }));
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Download CSV' })).toHaveFocus());
    expect(takeSavedFiles()).toEqual([]);
  });
});

test('rules that fail to load show the error and can be retried', async () => {
  disconnect(getFileRetention);
  const { user } = openScreen(`${SETTINGS}/file_retention`);
  await screen.findByRole('heading', { name: 'An Error Occurred!' });
  answer(getFileRetention, { value: 0 });
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByRole('radio', { name: 'Keep all files forever' });
});

test('a rule is selected, filled in, saved and canceled with the keyboard alone', async () => {
  answer(previewRetention, { archived_notes: preview(1) });
  const { user } = await openForm('notes_retention');
  await screen.findByText('Stored now');
  screen.getByRole('radio', { name: 'Keep all archived notes forever' }).focus();
  await user.keyboard('{ArrowDown}');
  await waitFor(() => expect(screen.getByRole('radio', { name: /only for a set duration/ })).toHaveFocus());
  await user.keyboard('{Tab}');
  await user.keyboard('3{Enter}');
  const question = await findQuestion();
  await question.findByText(/deletes more than the current one/);
  await waitFor(() => expect(question.getByRole('button', { name: 'Cancel' })).toHaveFocus());
  const archived_notes = { ...days(3), effective_at: Date.now() + 86_400_000, in_force: { value: 0 as const } };
  answer(saveNoteRetention, { archived_notes });
  answerRetention({ rules: { archived_notes } });
  await user.keyboard('{Tab}{Enter}');
  const keep = await screen.findByRole('button', { name: /Cancel this change/ });
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Count' })).toHaveFocus());
  // Tab moves past the period and the common durations.
  for (let stop = 0; stop < 6; stop += 1) await user.keyboard('{Tab}');
  await waitFor(() => expect(keep).toHaveFocus());
  answer(saveNoteRetention, { archived_notes: { value: 0 } });
  await user.keyboard('{Enter}');
  await waitFor(() => expect(keep).not.toBeInTheDocument());
  const radio = screen.getByRole('radio', { name: 'Keep all archived notes forever' });
  expect(radio).toBeChecked();
  await waitFor(() => expect(radio).toHaveFocus());
});
