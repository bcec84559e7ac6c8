import { Checkbox, NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { TOKEN_NAME_MAX } from '@steward/contract/api/limits';
import { ContentKind } from '@steward/contract/content';
import { Icon } from '#platform/page/icon.tsx';
import { KIND_LABELS } from './token-text.ts';
import { EXPIRIES, type TokenValues } from './tokens.form.ts';

/** What a token is called, what it may do, and until when. */
export function TokenFields({ form }: { form: UseFormReturnType<TokenValues> }) {
  return (
    <>
      <TextInput
        label="Name"
        description="The service that will use this token."
        required
        data-autofocus
        maxLength={TOKEN_NAME_MAX}
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <Checkbox.Group label="Imports" {...form.getInputProps('kinds')}>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing={8} my={8}>
          {ContentKind.options.map((kind) => (
            <Checkbox key={kind} value={kind} label={KIND_LABELS[kind]} />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
      <Checkbox
        label="Speaks for users"
        description="Content can name the user who wrote it. Otherwise, all of it is from the integration user."
        {...form.getInputProps('speaksForUsers', { type: 'checkbox' })}
      />
      <NativeSelect
        label="Expires"
        data={EXPIRIES}
        rightSection={<Icon name="chevron" size={16} />}
        rightSectionPointerEvents="none"
        {...form.getInputProps('expires')}
      />
    </>
  );
}
