import type { Outcome, RowField } from '@steward/contract/directory';
import hidden from '#platform/page/visually-hidden.module.css';
import { getDisplayCell } from './upload/upload-changes.ts';
import type { Forecast, Sample } from './upload/upload-forecast.ts';
import tables from './upload-samples.module.css';
import { formatNumber, OUTCOME_WORDS } from './upload-text.ts';

const COLUMNS: readonly (readonly [RowField, string])[] = [
  ['name', 'Name'],
  ['phone_number', 'Phone Number'],
  ['sms', 'Sms'],
  ['email', 'Email'],
];

interface UploadSamplesProps {
  forecast: Forecast;
  filter: Outcome | 'first';
}

/** Rows of the file with what they would do. */
export function UploadSamples({ forecast, filter }: UploadSamplesProps) {
  const samples = forecast.samples[filter];
  const total = filter === 'first' ? forecast.rows : forecast.counts[filter];
  const caption = formatCaption({ shown: samples.length, total, filter });
  return (
    <div className={tables.frame}>
      <p className={tables.caption} role="status">
        {caption}
      </p>
      {samples.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard
        <section className={tables.scroller} tabIndex={0} aria-label={caption}>
          <table className={tables.table}>
            <thead>
              <tr>
                <th scope="col">Line</th>
                <th scope="col">Row</th>
                {COLUMNS.map(([field, label]) => (
                  <th key={field} scope="col">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {samples.map((sample) => (
                <SampleRow key={sample.line} sample={sample} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </div>
  );
}

function formatCaption({ shown, total, filter }: { shown: number; total: number; filter: Outcome | 'first' }): string {
  const kind = filter === 'first' ? '' : `${OUTCOME_WORDS[filter].toLowerCase()} `;
  if (total === 0) return `No ${kind}rows.`;
  if (total === 1) return `The only ${kind}row`;
  return shown < total ? `The first ${shown} of ${formatNumber(total)} ${kind}rows` : `All ${shown} ${kind}rows`;
}

function SampleRow({ sample }: { sample: Sample }) {
  const { line, outcome, error } = sample;
  return (
    <>
      <tr className={tables.row} data-wrong={error !== '' || undefined}>
        <td className={tables.line}>
          <span className={tables.lineWord}>Line </span>
          {formatNumber(line)}
        </td>
        <td className={tables.kind}>
          <span className={tables.badge} data-outcome={outcome}>
            {OUTCOME_WORDS[outcome]}
          </span>
        </td>
        {COLUMNS.map(([field, label]) => (
          <td key={field} data-label={label}>
            <Cell sample={sample} field={field} />
          </td>
        ))}
      </tr>
      {error !== '' && (
        <tr className={tables.why}>
          <td className={tables.gap} />
          <td colSpan={5}>{error}</td>
        </tr>
      )}
    </>
  );
}

function Cell({ sample, field }: { sample: Sample; field: RowField }) {
  const { text, before } = getDisplayCell(sample, field);
  if (before === undefined) return <Text text={text} />;
  return (
    <span className={tables.change}>
      <span className={hidden.unseen}>Now: </span>
      <del className={tables.old}>
        <Text text={before} />
      </del>
      <span className={tables.arrow} aria-hidden="true">
        →
      </span>
      <span className={hidden.unseen}>. Then: </span>
      <ins className={tables.next}>
        <Text text={text} />
      </ins>
    </span>
  );
}

function Text({ text }: { text: string }) {
  if (text.trim() !== '') {
    return (
      <bdi className={tables.text} title={text}>
        {text}
      </bdi>
    );
  }
  return (
    <span className={tables.none}>
      <span aria-hidden="true">–</span>
      <span className={hidden.unseen}>empty</span>
    </span>
  );
}
