import { PasswordInput, SimpleGrid, TextInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { NAME_MAX } from '@steward/contract/api/limits';
import { PASSWORD_ADVICE } from '#workspace/session/new-password.ts';
import type { FinalValues } from './final.form.ts';

interface AccountFieldsProps {
  /** The form may have other fields too. */
  getInputProps: (field: keyof FinalValues) => GetInputPropsReturnType;
  /** If the names are known, the password is the first field to enter. */
  isNamed: boolean;
  /** Set if another field comes before these. */
  isContinued?: boolean;
}

export function AccountFields({ getInputProps, isNamed, isContinued = false }: AccountFieldsProps) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label="First name"
          autoComplete="given-name"
          autoFocus={!isNamed && !isContinued}
          maxLength={NAME_MAX}
          {...getInputProps('first')}
        />
        <TextInput label="Last name" autoComplete="family-name" maxLength={NAME_MAX} {...getInputProps('last')} />
      </SimpleGrid>
      <PasswordInput
        label="Password"
        description={PASSWORD_ADVICE}
        autoComplete="new-password"
        autoFocus={isNamed && !isContinued}
        visibilityToggleButtonProps={{ 'aria-label': 'Show password', tabIndex: 0 }}
        {...getInputProps('password')}
      />
      <PasswordInput
        label="Re-enter password"
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': 'Show repeated password', tabIndex: 0 }}
        {...getInputProps('password2')}
      />
    </>
  );
}
