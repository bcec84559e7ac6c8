import { Group, Stack, Text } from '@mantine/core';
import { ENCODINGS, type EncodingName } from '#platform/csv/csv-encodings.ts';
import { PickOne } from '#platform/forms/pick-one.tsx';
import type { IfExists } from '../session/upload-kind.ts';
import { isRereading, type Rereading, type UploadSession, type UploadStep } from '../session/upload-session.ts';
import type { UploadView } from './upload-view.ts';

const ENCODING_OPTIONS = ENCODINGS.map(({ name, languages }): { value: EncodingName; label: string } => ({
  value: name,
  label: languages === '' ? name : `${name} (${languages})`,
}));

const MATCH_OPTIONS: readonly { value: IfExists; label: string }[] = [
  { value: 'keep', label: 'Skip these rows' },
  { value: 'update', label: 'Update the entries' },
  { value: 'add', label: 'Add them anyway' },
];

interface PreviewChoicesProps {
  step: UploadStep & { at: 'preview' };
  view: UploadView;
  session: UploadSession;
}

/** The encoding of a file that isn't Unicode is a guess, and rows may match what was imported before. */
export function PreviewChoices({ step, view, session }: PreviewChoicesProps) {
  const { file, forecast, rereading } = step;
  const choices = isRereading(step) && rereading !== null ? rereading.choices : step.choices;
  const { matches = 0 } = forecast.facts;
  return (
    <Stack gap={8}>
      <Group gap={8}>
        <Text span>Encoding</Text>
        <PickOne
          label="Encoding"
          className={undefined}
          options={ENCODING_OPTIONS}
          value={choices.encoding ?? file.encoding}
          onPick={(encoding) => session.change({ encoding })}
        />
        <Text role="status" flex="1 1 200px" fz="0.8125rem" c={rereading?.fault ? 'var(--danger)' : 'dimmed'}>
          {rereading !== null && describe(rereading)}
        </Text>
      </Group>
      {view.describeMatches !== undefined && matches > 0 && (
        <Group gap={8}>
          <Text span>{view.describeMatches(matches)}</Text>
          <PickOne
            label="Rows that match existing entries"
            className={undefined}
            options={MATCH_OPTIONS}
            value={choices.ifExists}
            onPick={(ifExists) => session.change({ ifExists })}
          />
        </Group>
      )}
    </Stack>
  );
}

function describe({ choices, fault }: Rereading): string {
  if (fault === null) return 'Reading the file again…';
  const reason = fault.hint ?? fault.message;
  return choices.encoding === undefined ? reason : `The file can’t be read as ${choices.encoding}. ${reason}`;
}
