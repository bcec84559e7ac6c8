import { Badge, Box, DataList, Group, Stack, Table, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import hidden from '#platform/page/visually-hidden.module.css';
import { formatNumber } from '#platform/time/format.ts';
import type { Forecast, Sample } from '../session/upload-forecast.ts';
import type { Outcome } from '../session/upload-kind.ts';
import { OUTCOME_COLORS } from './upload-text.ts';
import type { DisplayCell, UploadView } from './upload-view.ts';

const HAIRLINE = '1px solid var(--hairline)';

interface UploadSamplesProps {
  forecast: Forecast;
  view: UploadView;
  filter: Outcome | 'first';
}

/** On a phone each row is a card. */
export function UploadSamples({ forecast, view, filter }: UploadSamplesProps) {
  const isNarrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  const samples = forecast.samples[filter];
  const total = filter === 'first' ? forecast.rows : forecast.counts[filter];
  const describe = (rows: 'row' | 'rows') => (filter === 'first' ? rows : view.describeRows(filter, rows));
  const caption = formatCaption({ shown: samples.length, total, describe });
  const Samples = isNarrow ? SampleCards : SampleTable;
  return (
    <Box miw={0} className="figures" fz="0.8125rem">
      <Text role="status" mb={8} c="dimmed" fz="inherit">
        {caption}
      </Text>
      {samples.length > 0 && (
        // The height doesn't depend on the number of rows, so that nothing moves when another outcome is selected.
        <Box
          component="section"
          tabIndex={0}
          aria-label={caption}
          h={isNarrow ? 'min(360px, 46dvh)' : 'min(320px, 40dvh)'}
          bd={HAIRLINE}
          bdrs="md"
          style={{ overflow: 'auto' }}
        >
          <Samples samples={samples} view={view} />
        </Box>
      )}
    </Box>
  );
}

interface CaptionInput {
  shown: number;
  total: number;
  describe: (rows: 'row' | 'rows') => string;
}

function formatCaption({ shown, total, describe }: CaptionInput): string {
  if (total === 0) return `No ${describe('rows')}.`;
  if (total === 1) return `The only ${describe('row')}`;
  const rows = describe('rows');
  return shown < total ? `The first ${shown} of ${formatNumber(total)} ${rows}` : `All ${shown} ${rows}`;
}

interface SamplesProps {
  samples: readonly Sample[];
  view: UploadView;
}

function SampleTable({ samples, view }: SamplesProps) {
  const heading = { scope: 'col', c: 'dimmed', fw: 500 };
  return (
    <Table stickyHeader layout="fixed" fz="inherit" borderColor="var(--hairline)" horizontalSpacing="xs">
      <Table.Thead bg="var(--surface-raised)" style={{ boxShadow: '0 1px var(--hairline)' }}>
        <Table.Tr>
          <Table.Th {...heading} w={64} ta="right">
            Line
          </Table.Th>
          <Table.Th {...heading} w={104}>
            Row
          </Table.Th>
          {view.columns.map(({ name, label, width }) => (
            <Table.Th key={name} {...heading} w={width}>
              {label}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody style={{ verticalAlign: 'top' }}>
        {samples.map((sample) => (
          <SampleRow key={sample.line} sample={sample} view={view} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function SampleRow({ sample, view }: { sample: Sample; view: UploadView }) {
  const { line, outcome, error } = sample;
  return (
    <>
      <Table.Tr {...(error !== '' && { style: { borderBottom: 'none' } })}>
        <Table.Td c="dimmed" ta="right">
          {formatNumber(line)}
        </Table.Td>
        <Table.Td>
          <OutcomeBadge outcome={outcome} view={view} />
        </Table.Td>
        {view.columns.map(({ name }) => (
          <Table.Td key={name}>
            <Cell {...view.getCell(sample, name)} />
          </Table.Td>
        ))}
      </Table.Tr>
      {error !== '' && (
        <Table.Tr>
          <Table.Td />
          <Table.Td colSpan={view.columns.length + 1} pt={0} c="var(--danger)">
            {error}
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}

function SampleCards({ samples, view }: SamplesProps) {
  return (
    <Stack component="ul" gap={0} m={0} p={0} style={{ listStyle: 'none' }}>
      {samples.map((sample) => (
        <Stack component="li" key={sample.line} gap={6} px="sm" py={8} style={{ borderBottom: HAIRLINE }}>
          <Group justify="space-between" wrap="nowrap">
            <OutcomeBadge outcome={sample.outcome} view={view} />
            <Text span c="dimmed" fz="inherit">
              Line {formatNumber(sample.line)}
            </Text>
          </Group>
          <DataList labelWidth={96} styles={{ root: { '--data-list-fz': '0.8125rem', gap: 2 } }}>
            {view.columns.map(({ name, label }) => (
              <DataList.Item key={name}>
                <DataList.ItemLabel>{label}</DataList.ItemLabel>
                <DataList.ItemValue miw={0}>
                  <Cell {...view.getCell(sample, name)} />
                </DataList.ItemValue>
              </DataList.Item>
            ))}
          </DataList>
          {sample.error !== '' && (
            <Text c="var(--danger)" fz="inherit">
              {sample.error}
            </Text>
          )}
        </Stack>
      ))}
    </Stack>
  );
}

const BADGE_COLORS: Record<Outcome, string> = {
  created: 'var(--success-soft)',
  changed: 'var(--surface-active)',
  unchanged: 'var(--surface-hover)',
  failed: 'var(--danger-soft)',
};

function OutcomeBadge({ outcome, view }: { outcome: Outcome; view: UploadView }) {
  const color = { changed: 'var(--text-active)', unchanged: 'dimmed' }[outcome as string] ?? OUTCOME_COLORS[outcome];
  return (
    <Badge size="sm" radius="sm" tt="none" fw={500} fz="0.75rem" c={color} bg={BADGE_COLORS[outcome]}>
      {view.outcomes[outcome]}
    </Badge>
  );
}

function Cell({ text, before }: DisplayCell) {
  if (before === undefined) return <CellText text={text} />;
  return (
    <>
      <span className={hidden.unseen}>Now: </span>
      <Text component="del" inherit c="dimmed" td="line-through">
        <CellText text={before} />
      </Text>
      <span className={hidden.unseen}>. Then: </span>
      <Text component="ins" inherit c="var(--text-active)" fw={500} td="none">
        <CellText text={text} />
      </Text>
    </>
  );
}

function CellText({ text }: { text: string }) {
  if (text.trim() !== '') {
    return (
      <Text component="bdi" inherit display="block" truncate title={text}>
        {text}
      </Text>
    );
  }
  return (
    <Text span inherit c="dimmed">
      <span aria-hidden="true">–</span>
      <span className={hidden.unseen}>empty</span>
    </Text>
  );
}
