import { Table, Text } from '@mantine/core';
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
        <Table className={classes.table ?? ''} verticalSpacing="xs" aria-label="Details">
          <Table.Tbody>
            {facts.map(({ field, value }) => (
              <Table.Tr key={field}>
                <Table.Th scope="row">{field}</Table.Th>
                <Table.Td>
                  <bdi>{value}</bdi>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
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
        <Text component="h3" fw={600} mb={4}>
          <bdi>{title}</bdi>
        </Text>
      )}
      <Table className={classes.table ?? ''} verticalSpacing="xs" aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Field</Table.Th>
            {hasBefore && <Table.Th scope="col">Before</Table.Th>}
            {hasAfter && <Table.Th scope="col">After</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {fields.map((field) => (
            <FieldRow key={field.field} field={field} hasBefore={hasBefore} hasAfter={hasAfter} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function FieldRow(props: { field: ChangedField; hasBefore: boolean; hasAfter: boolean }) {
  const { field, hasBefore, hasAfter } = props;
  const changed = isChanged(field);
  const before = <bdi>{field.before}</bdi>;
  const after = <bdi>{field.after}</bdi>;
  return (
    <Table.Tr data-changed={changed || undefined} data-same={(hasBefore && hasAfter && !changed) || undefined}>
      <Table.Th scope="row">{field.field}</Table.Th>
      {hasBefore && <Table.Td>{changed && field.before !== NOTHING ? <del>{before}</del> : before}</Table.Td>}
      {hasAfter && <Table.Td>{changed ? <ins>{after}</ins> : after}</Table.Td>}
    </Table.Tr>
  );
}
