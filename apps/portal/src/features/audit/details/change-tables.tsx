import { type ChangedField, type ChangedObject, isChanged, type ReadDetails } from '../text/changes.ts';
import { NOTHING } from '../text/format-value.ts';
import classes from './details.module.css';

/** A table for each thing, with before and after side by side; then the other details. */
export function ChangeTables({ things, facts }: ReadDetails) {
  return (
    <>
      {things.map((thing, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: stored rows never change
        <ObjectTable key={at} thing={thing} isNamed={things.length > 1 || facts.length > 0} />
      ))}
      {facts.length > 0 && (
        <table className={classes.table} aria-label="Details">
          <tbody>
            {facts.map(({ field, value }) => (
              <tr key={field}>
                <th scope="row">{field}</th>
                <td>
                  <bdi>{value}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

function ObjectTable({ thing: { title, fields }, isNamed }: { thing: ChangedObject; isNamed: boolean }) {
  const hasBefore = fields.some(({ before }) => before !== undefined);
  const hasAfter = fields.some(({ after }) => after !== undefined);
  const label = title === '' ? 'What changed' : title;
  return (
    <div>
      {isNamed && title !== '' && (
        <h3 className={classes.heading}>
          <bdi>{title}</bdi>
        </h3>
      )}
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">Field</th>
            {hasBefore && <th scope="col">Before</th>}
            {hasAfter && <th scope="col">After</th>}
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <FieldRow key={field.field} field={field} hasBefore={hasBefore} hasAfter={hasAfter} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function FieldRow(props: { field: ChangedField; hasBefore: boolean; hasAfter: boolean }) {
  const { field, hasBefore, hasAfter } = props;
  const changed = isChanged(field);
  const before = <bdi>{field.before}</bdi>;
  const after = <bdi>{field.after}</bdi>;
  return (
    <tr data-changed={changed || undefined} data-same={(hasBefore && hasAfter && !changed) || undefined}>
      <th scope="row">{field.field}</th>
      {hasBefore && <td>{changed && field.before !== NOTHING ? <del>{before}</del> : before}</td>}
      {hasAfter && <td>{changed ? <ins>{after}</ins> : after}</td>}
    </tr>
  );
}
